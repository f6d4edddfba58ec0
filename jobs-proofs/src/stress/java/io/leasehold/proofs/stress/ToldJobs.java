package io.leasehold.proofs.stress;

import static io.leasehold.engine.HandlerBinder.handlerBinder;

import com.google.inject.AbstractModule;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.RetryLater;
import io.leasehold.jobs.RetryPolicy;
import java.time.Duration;
import java.util.SplittableRandom;

/** A handler that tells a good deal, fails and puts off by chance, and does not stop when told. */
final class ToldJobs extends AbstractModule {

  /** Answers how much its last attempt told. */
  static final JobType<Long, Integer> TYPE =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.stress.told.any.v1", Long.class, Integer.class)
          .queue("told")
          .retry(
              RetryPolicy.exponential(100)
                  .first(Duration.ofMillis(50))
                  .most(Duration.ofMillis(500)));

  /** What it calls what it tells. */
  static final String KIND = "told";

  /**
   * What it tells.
   *
   * @param token of the attempt that tells it
   * @param number of the attempt's, from 1
   */
  record Told(long token, int number) {}

  @Override
  protected void configure() {
    handlerBinder(binder()).handle(TYPE).with(ToldJobs::run);
  }

  private static Integer run(JobContext job, Long seed) {
    var chance = new SplittableRandom(seed + job.fenceToken());
    var tells = 1 + chance.nextInt(8);
    for (int number = 1; number <= tells; number++) {
      tell(job, number);
      work(chance.nextInt(10) == 0 ? 400 : chance.nextInt(40));
    }
    var end = chance.nextInt(100);
    if (end < 25) {
      throw new IllegalStateException("failed by chance");
    }
    if (end < 35) {
      throw new RetryLater(Duration.ofMillis(chance.nextInt(200)));
    }
    return tells;
  }

  // A stale one goes on, as some code does: the fence alone keeps what it tells out.
  private static void tell(JobContext job, int number) {
    try {
      job.event(KIND, new Told(job.fenceToken(), number));
      if (number % 3 == 0) {
        job.progress(number * 10, "so far");
      }
    } catch (JobsException e) {
      // The attempt is over, one way or the other, and will hear of it.
    }
  }

  private static void work(int millis) {
    var end = System.nanoTime() + millis * 1_000_000L;
    while (System.nanoTime() < end) {
      try {
        Thread.sleep(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      } catch (InterruptedException e) {
        // It does not stop when told.
      }
    }
  }
}
