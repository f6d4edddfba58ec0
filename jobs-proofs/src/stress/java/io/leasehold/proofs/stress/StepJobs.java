package io.leasehold.proofs.stress;

import static io.leasehold.db.TenantTableBinder.tenantTables;
import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static io.leasehold.proofs.stress.Effects.EFFECTS;

import com.google.inject.AbstractModule;
import com.google.inject.Provider;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.Transactions;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import java.time.Duration;
import java.util.List;

/** Handlers of ten steps, each of which leaves an effect, and answers its number. */
final class StepJobs extends AbstractModule {

  static final int STEPS = 10;

  /** Each effect is committed before its step is stored: a crash in between repeats that one. */
  static final JobType<Integer, Integer> APART = type("apart");

  /** Each effect is committed together with its step. */
  static final JobType<Integer, Integer> TOGETHER = type("together");

  /** All effects and steps are committed together with the job's end. */
  static final JobType<Integer, Integer> WHOLE = type("whole");

  static final List<JobType<Integer, Integer>> TYPES = List.of(APART, TOGETHER, WHOLE);

  private static JobType<Integer, Integer> type(String name) {
    return JobType.restartable(
            "gts.x.core.jobs.handler.v1~acme.stress.steps.%s.v1".formatted(name),
            Integer.class,
            Integer.class)
        .queue("steps")
        .retry(RetryPolicy.exponential(50).first(Duration.ofMillis(100)));
  }

  /** How a step is called in the database, and its effect as well. */
  static String nameOf(int step) {
    return "step " + step;
  }

  @Override
  protected void configure() {
    tenantTables(binder()).scoped(EFFECTS);
    Provider<Transactions> transactions = binder().getProvider(Transactions.class);
    handlerBinder(binder())
        .handle(APART)
        .with((job, millis) -> apart(transactions.get(), job, millis));
    handlerBinder(binder())
        .handle(TOGETHER)
        .with((job, millis) -> together(transactions.get(), job, millis));
    handlerBinder(binder()).handle(WHOLE).inTransaction(StepJobs::whole);
  }

  private static Integer apart(Transactions transactions, JobContext job, int millis)
      throws Exception {
    int before = job.lastCheckpoint(Integer.class).orElse(-1);
    var sum = 0;
    for (int i = 0; i < STEPS; i++) {
      var number = i;
      sum +=
          job.step(
              nameOf(i),
              Integer.class,
              () -> {
                transactions.asTenant(
                    job.caller(),
                    tx -> {
                      EFFECTS.leave(tx, job, number <= before ? "repeated" : nameOf(number));
                      return number;
                    });
                Thread.sleep(millis);
                return number;
              });
      job.checkpoint(i);
    }
    return sum;
  }

  private static Integer together(Transactions transactions, JobContext job, int millis)
      throws Exception {
    var sum = 0;
    for (int i = 0; i < STEPS; i++) {
      var number = i;
      sum += transactions.<Integer, Exception>asTenant(job.caller(), tx -> step(tx, job, number));
      Thread.sleep(millis);
    }
    return sum;
  }

  private static Integer whole(ScopedTransaction tx, JobContext job, int millis) throws Exception {
    var sum = 0;
    for (int i = 0; i < STEPS; i++) {
      sum += step(tx, job, i);
      Thread.sleep(millis);
    }
    return sum;
  }

  private static Integer step(ScopedTransaction tx, JobContext job, int i) throws Exception {
    return job.step(
        nameOf(i),
        Integer.class,
        () -> {
          EFFECTS.leave(tx, job, nameOf(i));
          return i;
        });
  }
}
