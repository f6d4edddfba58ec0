package io.leasehold.engine.work.finish;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.log.AboutJob;
import io.leasehold.engine.log.PeriodicTaskLog;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobsException;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
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
public final class EndingWriter implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(EndingWriter.class);

  private static final int BATCH_MAX = 1_000;
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Endings of a batch that may fail one by one before the rest of it waits. */
  private static final int FAILURES_MAX = 10;

  private final PeriodicTaskLog failures = new PeriodicTaskLog(log, "the writing of ends of jobs");
  private final WriteEndings flush;
  private final JobMeters meters;
  private final BlockingQueue<Handed> handed = new LinkedBlockingQueue<>();

  /** Endings that are not written yet. They outlive an error that has the thread begin again. */
  private final List<Handed> batch = new ArrayList<>(BATCH_MAX);

  private volatile Runnable afterBatch = () -> {};

  @Inject
  EndingWriter(WriteEndings flush, JobMeters meters) {
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
        }
        handed.drainTo(batch, BATCH_MAX - batch.size());
        var before = batch.size();
        writeBatch();
        if (batch.size() < before) {
          afterBatch.run();
        }
        if (!batch.isEmpty()) {
          Thread.sleep(PAUSE); // What is handed in meanwhile is written together with the rest.
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // The database may be away for long. Endings that it cannot write now wait for it, each until its
  // lease is lost. They keep no other from being written that it can write, now or later.
  private void writeBatch() {
    switch (write(batch, endings(batch))) {
      case WRITTEN -> batch.clear();
      case FAILED_FOR_ALL -> {}
      case FAILED, REFUSED -> writeEach();
    }
  }

  // One value may be too large for a disk that has room for the others, or be refused for good.
  // Those that failed are tried last the next time.
  private void writeEach() {
    var failed = 0;
    for (var one : List.copyOf(batch)) {
      switch (writeAlone(one)) {
        case WRITTEN -> batch.remove(one);
        case FAILED, REFUSED -> failed++;
        case FAILED_FOR_ALL -> failed = FAILURES_MAX;
      }
      if (failed >= FAILURES_MAX) {
        break;
      }
    }
    Collections.rotate(batch, -failed);
  }

  // A refused ending is replaced by the failure to store it. If even that is refused, the reason is
  // another one, and the ending itself is tried again.
  private Result writeAlone(Handed one) {
    var alone = List.of(one);
    var result = write(alone, endings(alone));
    return result == Result.REFUSED ? write(alone, List.of(instead(one.ending()))) : result;
  }

  /** What became of an attempt to write some endings. */
  private enum Result {
    WRITTEN,
    /** None of them is written, because of one of them: it will never be stored as it is. */
    REFUSED,
    /** None of them is written now, perhaps because of one of them. */
    FAILED,
    /** None of them is written now, and no other would be. */
    FAILED_FOR_ALL
  }

  private Result write(List<Handed> batch, List<Ending> endings) {
    try {
      var written = flush(endings);
      failures.succeeded();
      tell(batch, written);
      return Result.WRITTEN;
    } catch (JobsException e) {
      if (e.code().blame() == ErrorCode.Blame.CALLER) {
        tellRefusal(batch, e.code().name());
        return Result.REFUSED;
      }
      failures.failed(e);
      return mayBeOfOne(e.code()) ? Result.FAILED : Result.FAILED_FOR_ALL;
    } catch (VirtualMachineError e) { // As when a handler took all memory.
      log.error("{} endings cannot be written at present", batch.size(), e);
      return Result.FAILED_FOR_ALL;
    } catch (RuntimeException | Error e) { // Whatever one ending makes Java throw ends it alone.
      tellRefusal(batch, e.getClass().getName());
      return Result.REFUSED;
    }
  }

  private static boolean mayBeOfOne(ErrorCode code) {
    return switch (code) {
      case DATABASE_FULL,
          DATABASE_DEGRADED,
          LOCK_TIMEOUT,
          STATEMENT_CANCELLED,
          STATEMENT_FAILED,
          TRANSACTION_TIMEOUT ->
          true;
      default -> false;
    };
  }

  private static List<Ending> endings(List<Handed> batch) {
    return batch.stream().map(Handed::ending).toList();
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
