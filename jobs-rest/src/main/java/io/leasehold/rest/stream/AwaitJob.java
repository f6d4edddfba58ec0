package io.leasehold.rest.stream;

import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobWatch;
import io.leasehold.rest.http.Exchange;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Waits until a job is as somebody wants it, without a connection in the meantime. */
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
   * Waits, and no longer than the token is valid.
   *
   * @param most for so long
   * @return the job as it is then; nothing if the caller may read no such job
   */
  public Optional<Job> await(Exchange exchange, Duration most, Predicate<Job> enough)
      throws InterruptedException {
    var valid = exchange.tokenRemaining();
    var until = System.nanoTime() + (most.compareTo(valid) < 0 ? most : valid).toNanos();
    var id = exchange.job();
    var changed = new Semaphore(0);
    // The watch begins before the first look, so that nothing between the two is overlooked.
    try (var stream = streams.open(exchange, changed::release);
        var _ = watch.watch(exchange.caller(), id, changed::release)) {
      var job = reads.find(exchange.caller(), id);
      while (job.isPresent() && !enough.test(job.get()) && !stream.isStopped()) {
        var left = until - System.nanoTime();
        if (left <= 0 || !changed.tryAcquire(left, TimeUnit.NANOSECONDS)) {
          return job;
        }
        changed.drainPermits();
        job = reads.find(exchange.caller(), id);
      }
      return job;
    }
  }
}
