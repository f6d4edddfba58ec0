package io.leasehold.engine.service.submit;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.history.JobWatch.Watch;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Waits for the end of a job, and checks the job whenever it changes. */
final class AwaitEnd {

  private AwaitEnd() {}

  /**
   * Returns the job once it has finished, or its current state after {@code most}.
   *
   * @param watch registers a callback that runs whenever the job changes
   * @param look finds the job, with a connection that it returns afterwards
   */
  static Optional<Job> await(
      Function<Runnable, Watch> watch, Supplier<Optional<Job>> look, Duration most) {
    var deadline = System.nanoTime() + most.toNanos();
    var first = look.get(); // Most jobs that are awaited have finished already.
    return isOver(first) ? first : await(watch, look, deadline);
  }

  private static Optional<Job> await(
      Function<Runnable, Watch> watch, Supplier<Optional<Job>> look, long deadline) {
    var news = new Semaphore(0);
    try (var _ = watch.apply(news::release)) {
      while (true) {
        var job = look.get();
        var left = deadline - System.nanoTime();
        if (left <= 0 || isOver(job)) {
          return job;
        }
        await(news, left);
      }
    }
  }

  private static boolean isOver(Optional<Job> job) {
    return job.isEmpty() || job.get().status().isFinal();
  }

  private static void await(Semaphore news, long nanos) {
    try {
      if (news.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
        news.drainPermits();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JobsException(ErrorCode.INTERRUPTED, "interrupted while waiting for a job", e);
    }
  }
}
