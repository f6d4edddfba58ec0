package io.leasehold.engine.finish;

import io.leasehold.engine.claim.ClaimedJob;
import io.leasehold.engine.log.AboutJob;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobsException;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes how attempts ended, as many at once as there are.
 *
 * <p>While one batch is being written, the next one fills; with nothing under way an ending is
 * written at once. So none waits for a batch to be full. Whoever hands one in hears when it is
 * written, or refused because the lease is lost, and not before. Safe to share between threads.
 */
public final class Finisher implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(Finisher.class);

  private static final int BATCH_MAX = 1_000;
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Flush flush;
  private final JobMeters meters;
  private final BlockingQueue<Handed> handed = new LinkedBlockingQueue<>();
  private volatile Runnable afterBatch = () -> {};

  @Inject
  Finisher(Flush flush, JobMeters meters) {
    this.flush = flush;
    this.meters = meters;
  }

  /** Runs something each time that endings were written; set before the first. */
  public void afterEachBatch(Runnable hook) {
    afterBatch = hook;
  }

  private record Handed(ClaimedJob job, Ending ending, Consumer<Boolean> written) {}

  /**
   * Hands a job's ending in.
   *
   * @param written told once whether it was written; not if the lease was lost
   */
  public void finish(ClaimedJob job, Ending ending, Consumer<Boolean> written) {
    handed.add(new Handed(job, ending, written));
  }

  /** Writes batches until the thread is interrupted. */
  @Override
  public void run() {
    var batch = new ArrayList<Handed>();
    try {
      while (true) {
        batch.add(handed.take());
        handed.drainTo(batch, BATCH_MAX - 1);
        write(batch);
        batch.clear();
        afterBatch.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // The database may be away for long. Nothing can be told to whoever waits until it is back.
  private void write(List<Handed> batch) throws InterruptedException {
    while (true) {
      try {
        tell(batch, flush(batch.stream().map(Handed::ending).toList()));
        return;
      } catch (JobsException e) {
        if (isRefused(e)) {
          writeApart(batch, e);
          return;
        }
        log.warn("{} endings cannot be written at present: {}", batch.size(), e.getMessage());
        Thread.sleep(PAUSE);
      }
    }
  }

  private Set<JobId> flush(List<Ending> endings) {
    var begin = System.nanoTime();
    var written = flush.write(endings);
    meters.flushed(endings.size(), System.nanoTime() - begin);
    return written;
  }

  // What the database will never store must not hold up the rest: each alone, and in the place of
  // that one the failure to store it.
  private void writeApart(List<Handed> batch, JobsException cause) throws InterruptedException {
    if (batch.size() > 1) {
      for (var one : batch) {
        write(List.of(one));
      }
      return;
    }
    var refused = batch.getFirst();
    var ending = refused.ending();
    // Without the cause, which may cite what it refuses.
    AboutJob.at(log.atWarn(), refused.job()).log(
        "the ending of a job cannot be stored: {}", cause.code());
    var instead =
        new Ending.Last(
            ending.id(),
            ending.token(),
            JobStatus.FAILED,
            null,
            Optional.of("what the handler ended with cannot be stored: " + cause.code()));
    write(List.of(new Handed(refused.job(), instead, refused.written())));
  }

  private static boolean isRefused(JobsException e) {
    return e.code().blame() == ErrorCode.Blame.CALLER || e.code() == ErrorCode.STATEMENT_FAILED;
  }

  private static void tell(List<Handed> batch, Set<JobId> written) {
    for (var one : batch) {
      one.written().accept(written.contains(one.ending().id()));
    }
  }
}
