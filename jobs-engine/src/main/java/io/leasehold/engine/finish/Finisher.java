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

  /** What is being written. It outlives an error that has the thread begin again. */
  private final List<Handed> batch = new ArrayList<>(BATCH_MAX);

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
    try {
      while (true) {
        if (batch.isEmpty()) {
          batch.add(handed.take());
          handed.drainTo(batch, BATCH_MAX - 1);
        }
        write(batch);
        batch.clear();
        afterBatch.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // The database may be away for long. Nothing can be told to whoever waits until it is back.
  //
  // What it will never store must not hold up the rest: each is written alone then, and in the
  // place of that one the failure to store it. If even that is refused, it is for another reason,
  // and the ending itself is tried again.
  private void write(List<Handed> batch) throws InterruptedException {
    while (!isWritten(batch, batch.stream().map(Handed::ending).toList())) {
      if (batch.size() > 1) {
        for (var one : batch) {
          write(List.of(one));
        }
        return;
      }
      if (isWritten(batch, List.of(instead(batch.getFirst().ending())))) {
        return;
      }
      Thread.sleep(PAUSE);
    }
  }

  // Answers whether it was written, or else refused.
  private boolean isWritten(List<Handed> batch, List<Ending> endings) throws InterruptedException {
    while (true) {
      try {
        tell(batch, flush(endings));
        return true;
      } catch (JobsException e) {
        if (isRefused(e)) {
          tellRefusal(batch, e.code().name());
          return false;
        }
        log.warn("{} endings cannot be written at present: {}", batch.size(), e.getMessage());
      } catch (VirtualMachineError e) { // As when a handler took all memory.
        log.error("{} endings cannot be written at present", batch.size(), e);
      } catch (RuntimeException | Error e) { // Whatever one ending makes Java throw ends it alone.
        tellRefusal(batch, e.getClass().getName());
        return false;
      }
      Thread.sleep(PAUSE);
    }
  }

  private Set<JobId> flush(List<Ending> endings) {
    var begin = System.nanoTime();
    var written = flush.write(endings);
    meters.flushed(endings.size(), System.nanoTime() - begin);
    return written;
  }

  // Without the cause, which may cite what it refuses.
  private static void tellRefusal(List<Handed> batch, String cause) {
    if (batch.size() == 1) {
      AboutJob.at(log.atWarn(), batch.getFirst().job()).log(
          "the ending of a job cannot be stored as it is: {}", cause);
    }
  }

  private static Ending instead(Ending refused) {
    return new Ending.Last(
        refused.id(),
        refused.token(),
        JobStatus.FAILED,
        null,
        Optional.of("what the handler ended with cannot be stored"));
  }

  private static boolean isRefused(JobsException e) {
    return e.code().blame() == ErrorCode.Blame.CALLER || e.code() == ErrorCode.STATEMENT_FAILED;
  }

  private static void tell(List<Handed> batch, Set<JobId> written) {
    for (var one : batch) {
      try {
        one.written().accept(written.contains(one.ending().id()));
      } catch (RuntimeException | Error e) { // It must not be told twice.
        log.error("completion callback failed: job {}", one.ending().id(), e);
      }
    }
  }
}
