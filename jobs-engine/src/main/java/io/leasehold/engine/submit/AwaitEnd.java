package io.leasehold.engine.submit;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobsException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Waits for the end of a job by looking again and again, ever less often. */
final class AwaitEnd {

  private static final long PAUSE_LEAST = Duration.ofMillis(10).toNanos();
  private static final long PAUSE_MOST = Duration.ofMillis(250).toNanos();

  private AwaitEnd() {}

  /**
   * The job when it is over, or as it is after so long.
   *
   * @param look finds it, with a connection that it gives back
   */
  static Optional<Job> await(Supplier<Optional<Job>> look, Duration most) {
    var deadline = System.nanoTime() + most.toNanos();
    for (var pause = PAUSE_LEAST; ; pause = Math.min(PAUSE_MOST, pause * 3 / 2)) {
      var job = look.get();
      var left = deadline - System.nanoTime();
      if (left <= 0 || job.isEmpty() || job.get().status().isFinal()) {
        return job;
      }
      sleep(Math.min(pause, left));
    }
  }

  private static void sleep(long nanos) {
    try {
      Thread.sleep(Duration.ofNanos(nanos));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JobsException(ErrorCode.INTERRUPTED, "interrupted while waiting for a job", e);
    }
  }
}
