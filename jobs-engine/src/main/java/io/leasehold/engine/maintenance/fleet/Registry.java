package io.leasehold.engine.maintenance.fleet;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.WorkerId;
import jakarta.inject.Inject;
import java.time.Duration;

/** The registry of workers: each worker writes its own entry, and one worker tidies for all. */
public final class Registry {

  private static final Duration REMEMBERED = Duration.ofDays(1);
  private static final Duration HANDLERS_REMEMBERED = Duration.ofDays(30);

  private final Transactions transactions;
  private final WorkerId worker;
  private final Registration registration;
  private final Load load;

  @Inject
  Registry(Transactions transactions, WorkerId worker, Registration registration, Load load) {
    this.transactions = transactions;
    this.worker = worker;
    this.registration = registration;
    this.load = load;
  }

  /** Writes this worker's heartbeat and load, and its handlers. */
  public void signIn() {
    transactions.asEngine(
        tx -> {
          RegisterWorker.register(tx, worker, registration, load.running());
          RememberHandlers.remember(tx, registration.handlers());
          return true;
        });
  }

  /** Removes this worker. Waits only briefly, since the registry is not worth a long wait. */
  public void signOut() {
    transactions.asEngine(
        TransactionOptions.defaults().statementTimeout(Duration.ofSeconds(1)),
        tx -> {
          ForgetWorkers.one(tx, worker);
          return true;
        });
  }

  /**
   * Marks workers that have been silent for {@code silent}. Deletes workers that have been silent
   * for a day, and handlers that no worker has had for 30 days.
   */
  public void tidy(Duration silent) {
    transactions.asEngine(
        tx ->
            HealWorkers.heal(tx)
                + ForgetWorkers.silentFor(tx, REMEMBERED)
                + MarkStale.mark(tx, silent)
                + ForgetHandlers.unseenFor(tx, HANDLERS_REMEMBERED));
  }
}
