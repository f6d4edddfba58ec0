package io.leasehold.proofs.stress;

import static io.leasehold.db.TenantTableBinder.tenantTables;
import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static io.leasehold.proofs.stress.Effects.EFFECTS;

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

  /** Works as it is told, and answers its fence token. */
  static final JobType<Work, Long> PLAIN = type("plain");

  /** The same, and its effect commits together with the job. */
  static final JobType<Work, Long> TRANSACTIONAL = type("transactional");

  /**
   * What to do.
   *
   * @param millis how long it takes
   * @param deaf whether it goes on when it is interrupted, as some code does: then the fence alone
   *     stops it
   */
  record Work(int millis, boolean deaf) {

    void run() throws InterruptedException {
      var end = System.nanoTime() + Duration.ofMillis(millis).toNanos();
      for (var left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
        try {
          Thread.sleep(Duration.ofNanos(left));
        } catch (InterruptedException e) {
          if (!deaf) {
            throw e;
          }
        }
      }
    }
  }

  private static JobType<Work, Long> type(String name) {
    return JobType.restartable(
            "gts.x.core.jobs.handler.v1~acme.stress.jobs.%s.v1".formatted(name),
            Work.class,
            Long.class)
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
            (job, work) -> {
              Begins.tell(job);
              work.run();
              return leave(transactions.get(), job);
            });
    handlerBinder(binder())
        .handle(TRANSACTIONAL)
        .inTransaction(
            (tx, job, work) -> {
              Begins.tell(job);
              EFFECTS.leave(tx, job, "transactional");
              work.run();
              return job.fenceToken();
            });
  }

  private static Long leave(Transactions transactions, JobContext job) {
    transactions.asTenant(
        job.caller(),
        tx -> {
          EFFECTS.leave(tx, job, "plain");
          return null;
        });
    return job.fenceToken();
  }
}
