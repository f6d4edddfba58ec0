package io.leasehold.proofs.stress;

import static io.leasehold.engine.HandlerBinder.handlerBinder;

import com.google.inject.AbstractModule;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.proofs.stress.StressJobs.Work;
import java.time.Duration;

/** Handlers of jobs to which time matters. */
final class ClockJobs extends AbstractModule {

  /** A lease goes by before it is over. */
  static final Duration LONG = Fleet.LEASE.multipliedBy(2).plusSeconds(1);

  /** How long a limited job may take. */
  static final Duration LIMIT = Duration.ofSeconds(4);

  /** How long a job waits that failed once; after that, twice as long each time. */
  static final Duration FIRST_WAIT = Duration.ofSeconds(1);

  static final int FAILURES = 3;

  /** Does nothing, when its time has come: its input says how many milliseconds it is put off. */
  static final JobType<Integer, String> DELAYED = type("delayed", Integer.class);

  /** Fails some times before it succeeds. */
  static final JobType<String, String> FLAKY =
      type("flaky", String.class)
          .retry(
              RetryPolicy.exponential(FAILURES + 1)
                  .first(FIRST_WAIT)
                  .most(Duration.ofHours(1))
                  .jitter(0));

  /** Works as it is told, in no more than the limit. */
  static final JobType<Work, String> LIMITED = type("limited", Work.class).timeout(LIMIT);

  /** Works as it is told. */
  static final JobType<Work, String> UNLIMITED = type("unlimited", Work.class);

  private static <I> JobType<I, String> type(String name, Class<I> input) {
    return JobType.restartable(
            "gts.x.core.jobs.handler.v1~acme.stress.clocks.%s.v1".formatted(name),
            input,
            String.class)
        .queue("clocks");
  }

  @Override
  protected void configure() {
    handlerBinder(binder()).handle(DELAYED).with((job, _) -> begin(job));
    handlerBinder(binder())
        .handle(FLAKY)
        .with(
            (job, _) -> {
              begin(job);
              if (job.attempt() <= FAILURES) {
                throw new IllegalStateException("fails at first");
              }
              return "done";
            });
    handlerBinder(binder()).handle(LIMITED).with(ClockJobs::work);
    handlerBinder(binder()).handle(UNLIMITED).with(ClockJobs::work);
  }

  private static String work(JobContext job, Work work) throws InterruptedException {
    begin(job);
    work.run();
    return "done";
  }

  private static String begin(JobContext job) {
    Begins.tell(job);
    return "done";
  }
}
