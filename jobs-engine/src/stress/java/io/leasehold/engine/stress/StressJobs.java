package io.leasehold.engine.stress;

import static io.leasehold.db.TenantTableBinder.tenantTables;
import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static io.leasehold.engine.stress.Effects.EFFECTS;

import com.google.inject.AbstractModule;
import com.google.inject.Provider;
import io.leasehold.db.Transactions;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import java.time.Duration;

/**
 * The handlers of every worker here: each leaves an effect, in its own or the job's transaction.
 */
final class StressJobs extends AbstractModule {

  /** Works as many milliseconds as it is told. */
  static final JobType<Integer, String> PLAIN = type("plain");

  /** The same, and its effect commits together with the job. */
  static final JobType<Integer, String> TRANSACTIONAL = type("transactional");

  private static JobType<Integer, String> type(String name) {
    return JobType.restartable(
            "gts.x.core.jobs.handler.v1~acme.stress.jobs.%s.v1".formatted(name),
            Integer.class,
            String.class)
        .queue("stress")
        // A server that is killed fails attempts, and is no reason to give up.
        .retry(
            RetryPolicy.exponential(50).first(Duration.ofMillis(100)).most(Duration.ofSeconds(1)));
  }

  @Override
  protected void configure() {
    tenantTables(binder()).scoped(EFFECTS);
    Provider<Transactions> transactions = binder().getProvider(Transactions.class);
    handlerBinder(binder())
        .handle(PLAIN)
        .with(
            (job, millis) -> {
              Thread.sleep(Duration.ofMillis(millis));
              return leave(transactions.get(), job);
            });
    handlerBinder(binder())
        .handle(TRANSACTIONAL)
        .inTransaction(
            (tx, job, millis) -> {
              EFFECTS.leave(tx, job, "transactional");
              Thread.sleep(Duration.ofMillis(millis));
              return "done";
            });
  }

  private static String leave(Transactions transactions, JobContext job) {
    transactions.asTenant(
        job.caller(),
        tx -> {
          EFFECTS.leave(tx, job, "plain");
          return null;
        });
    return "done";
  }
}
