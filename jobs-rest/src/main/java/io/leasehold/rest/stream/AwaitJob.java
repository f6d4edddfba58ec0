package io.leasehold.rest.stream;

import io.leasehold.jobs.Job;
import io.leasehold.jobs.history.JobWatch;
import io.leasehold.rest.http.Exchange;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Waits until a job meets a condition, without holding a database connection. */
public final class AwaitJob {

  private final JobWatch watch;
  private final ReadTurns reads;
  private final OpenStreams streams;

  @Inject
  AwaitJob(JobWatch watch, ReadTurns reads, OpenStreams streams) {
    this.watch = watch;
    this.reads = reads;
    this.streams = streams;
  }

  /**
   * Waits, but no longer than the token is valid.
   *
   * @param most the maximum wait
   * @return the job's state then; empty if the caller may not read such a job
   */
  public Optional<Job> await(Exchange exchange, Duration most, Predicate<Job> enough)
      throws InterruptedException {
    var valid = exchange.tokenRemaining();
    var until = System.nanoTime() + (most.compareTo(valid) < 0 ? most : valid).toNanos();
    var changed = new Semaphore(0);
    try (var stream = streams.openToWait(exchange, changed::release)) {
      var look = new Look(exchange, enough, stream);
      // Every watch is announced to all processes, so a foreign or finished job is not watched.
      var first = look.look();
      return look.isLast(first) ? first : await(look, changed, until);
    }
  }

  private Optional<Job> await(Look look, Semaphore changed, long until)
      throws InterruptedException {
    try (var _ = look.watch(changed::release)) {
      var job = look.look(); // Checks again: changes before the watch began were not reported.
      var left = until - System.nanoTime();
      while (!look.isLast(job) && left > 0 && changed.tryAcquire(left, TimeUnit.NANOSECONDS)) {
        changed.drainPermits();
        job = look.look();
        left = until - System.nanoTime();
      }
      return job;
    }
  }

  /** A check of the job, and the condition that ends the wait. */
  private final class Look {

    private final Exchange exchange;
    private final Predicate<Job> enough;
    private final OpenStream stream;

    private Look(Exchange exchange, Predicate<Job> enough, OpenStream stream) {
      this.exchange = exchange;
      this.enough = enough;
      this.stream = stream;
    }

    private Optional<Job> look() {
      return reads.find(exchange.caller(), exchange.job());
    }

    private JobWatch.Watch watch(Runnable changed) {
      return watch.watch(exchange.caller(), exchange.job(), changed);
    }

    private boolean isLast(Optional<Job> job) {
      return job.filter(enough.negate()).isEmpty() || stream.isStopped();
    }
  }
}
