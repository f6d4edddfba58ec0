package io.leasehold.engine.log;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Logs the failures of one chore: the first failure, then one line per {@link #EVERY} with the
 * number of failures, and one line when the chore works again. A chore that alternates between
 * failure and success also gets one line in that time. No line contains the text of a statement.
 * Safe to share between threads.
 */
public final class PeriodicTaskLog {

  /** The minimum time between two lines about failures of a chore. */
  public static final Duration EVERY = Duration.ofSeconds(30);

  private final Logger log;
  private final String chore;
  private final LongSupplier nanoTime;

  private volatile boolean failing;

  // Guarded by this.
  private long since;
  private long failures;
  private boolean isReported;
  private boolean wasReported;
  private long reportedAt;

  /**
   * Creates the log of a chore that has not failed yet.
   *
   * @param chore the subject of each line, as in "the rescue of lost jobs"
   */
  public PeriodicTaskLog(Logger log, String chore) {
    this(log, chore, System::nanoTime);
  }

  PeriodicTaskLog(Logger log, String chore, LongSupplier nanoTime) {
    this.log = log;
    this.chore = chore;
    this.nanoTime = nanoTime;
  }

  /**
   * Reports a failure of the chore. An interrupt is no failure, since it asks the thread to end.
   */
  public void failed(RuntimeException failure) {
    if (!(failure instanceof JobsException e && e.code() == ErrorCode.INTERRUPTED)) {
      count(failure);
    }
  }

  private synchronized void count(RuntimeException failure) {
    var now = nanoTime.getAsLong();
    if (!failing) {
      failing = true;
      since = now;
      failures = 0;
      isReported = false;
    }
    failures++;
    if (!wasReported || now - reportedAt >= EVERY.toNanos()) {
      report(failure, seconds(now));
      isReported = true;
      wasReported = true;
      reportedAt = now;
    }
  }

  private void report(RuntimeException failure, long seconds) {
    if (failures > 1) {
      log.warn(
          "{} failed {} times in {} s, and is retried: {}",
          chore,
          failures,
          seconds,
          reason(failure));
    } else if (failure instanceof JobsException) {
      log.warn("{} failed, and is retried: {}", chore, reason(failure));
    } else {
      log.error("{} failed, and is retried", chore, failure);
    }
  }

  /** Reports a success of the chore. */
  public void succeeded() {
    if (failing) {
      recover();
    }
  }

  private synchronized void recover() {
    if (failing && isReported) {
      log.warn(
          "{} works again, after {} failures in {} s",
          chore,
          failures,
          seconds(nanoTime.getAsLong()));
    }
    failing = false;
  }

  private long seconds(long now) {
    return Duration.ofNanos(now - since).toSeconds();
  }

  /** Returns why a chore failed, in one line and without the text of a statement. */
  public static String reason(RuntimeException failure) {
    return failure instanceof JobsException e
        ? "%s (%s)".formatted(firstLine(e), e.code())
        : failure.getClass().getName();
  }

  private static String firstLine(JobsException failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }
}
