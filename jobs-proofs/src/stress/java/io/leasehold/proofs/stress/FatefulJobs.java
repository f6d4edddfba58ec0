package io.leasehold.proofs.stress;

import static io.leasehold.engine.HandlerBinder.handlerBinder;

import com.google.inject.AbstractModule;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.RetryPolicy;
import java.time.Duration;

/** Handlers that end in each way there is. */
final class FatefulJobs extends AbstractModule {

  static final JobType<Fate, String> PLAIN = type("plain").timeout(Duration.ofSeconds(2));

  static final JobType<Fate, String> TRANSACTIONAL = type("transactional");

  /** How a job ends. */
  enum End {
    WELL,
    FOR_GOOD,
    AT_THE_THIRD_ATTEMPT,
    LATE
  }

  /**
   * What a job does.
   *
   * @param millis how long it takes
   * @param end how it ends
   */
  record Fate(int millis, End end) {}

  private static JobType<Fate, String> type(String name) {
    return JobType.restartable(
            "gts.x.core.jobs.handler.v1~acme.stress.fates.%s.v1".formatted(name),
            Fate.class,
            String.class)
        .queue("fates")
        .retry(
            RetryPolicy.exponential(20).first(Duration.ofMillis(100)).most(Duration.ofSeconds(1)));
  }

  private static String meet(JobContext job, Fate fate) throws InterruptedException {
    Thread.sleep(fate.millis());
    return switch (fate.end()) {
      case WELL -> "well";
      case FOR_GOOD -> throw new PermanentFailure("as it had to be");
      case AT_THE_THIRD_ATTEMPT -> {
        if (job.attempt() < 3) {
          throw new IllegalStateException("not yet");
        }
        yield "at last";
      }
      case LATE -> {
        Thread.sleep(Duration.ofSeconds(job.attempt() < 2 ? 10 : 0));
        yield "late";
      }
    };
  }

  @Override
  protected void configure() {
    handlerBinder(binder()).handle(PLAIN).with(FatefulJobs::meet);
    handlerBinder(binder()).handle(TRANSACTIONAL).inTransaction((tx, job, fate) -> meet(job, fate));
  }
}
