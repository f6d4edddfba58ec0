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
import jakarta.inject.Singleton;
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
 * Writes the endings of attempts in batches.
 *
 * <p>While one batch is being written, the next one fills. If no write is in progress, an ending is
 * written immediately, so no ending waits for a batch to fill up. Callers are notified when their
 * ending is written, or rejected because the lease is lost, and not before. Thread-safe.
 */
@Singleton
public final class EndingWriter implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(EndingWriter.class);

  private static final int BATCH_MAX = 1_000;
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** How many endings of a batch may fail individually before the rest of the batch waits. */
  private static final int FAILURES_MAX = 10;

  private final PeriodicTaskLog failures = new PeriodicTaskLog(log, "the write of job ends");
  private final WriteEndings flush;
  private final JobMeters meters;
  private final BlockingQueue<Handed> handed = new LinkedBlockingQueue<>();

  /** Endings that are not written yet. They survive an error that restarts the thread. */
  private final List<Handed> batch = new ArrayList<>(BATCH_MAX);

  private volatile Runnable afterBatch = () -> {};

  @Inject
  EndingWriter(WriteEndings flush, JobMeters meters) {
    this.flush = flush;
    this.meters = meters;
  }

  /** Sets a hook that runs after each written batch. To be set before the first batch. */
  public void afterEachBatch(Runnable hook) {
    afterBatch = hook;
  }

  private record Handed(ClaimedJob job, Ending ending, Consumer<Boolean> written) {}

  /**
   * Queues a job's ending for writing.
   *
   * @param written called once with whether the ending was written; false if the lease was lost
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
          Thread.sleep(PAUSE); // Endings that arrive meanwhile join the rest.
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // The database may be unreachable for a long time. Endings that it cannot store now wait, each
  // until its lease is lost. They do not keep other endings from being written, now or later.
  private void writeBatch() {
    switch (write(batch, endings(batch))) {
      case WRITTEN -> batch.clear();
      case FAILED_FOR_ALL -> {}
      case FAILED, REFUSED -> writeEach();
    }
  }

  // One value may be too large for a disk that has room for the others, or be rejected for good.
  // The endings that failed are tried last next time.
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

  // A rejected ending is replaced by a failure that reports the rejection. If even that is
  // rejected, the cause is a different one, and the original ending is tried again.
  private Result writeAlone(Handed one) {
    var alone = List.of(one);
    var result = write(alone, endings(alone));
    return result == Result.REFUSED ? write(alone, List.of(instead(one.ending()))) : result;
  }

  /** The result of trying to write some endings. */
  private enum Result {
    WRITTEN,
    /** None is written, because one of them can never be stored as it is. */
    REFUSED,
    /** None is written now; one of them may be the cause. */
    FAILED,
    /** None is written now, and no other ending could be. */
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
    } catch (VirtualMachineError e) { // For example, a handler used up all memory.
      log.error("writing the ends of {} jobs failed", batch.size(), e);
      return Result.FAILED_FOR_ALL;
    } catch (RuntimeException | Error e) { // Any exception rejects only the ending that caused it.
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

  // Without the cause, whose text may quote the rejected value.
  private static void tellRefusal(List<Handed> batch, String cause) {
    if (batch.size() == 1) {
      AboutJob.at(log.atWarn(), batch.getFirst().job()).log(
          "the end of a job cannot be stored, the job fails: {}", cause);
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
      } catch (RuntimeException | Error e) { // The callback must not run twice.
        log.error("completion callback failed: job {}", one.ending().id(), e);
      }
    }
  }
}
