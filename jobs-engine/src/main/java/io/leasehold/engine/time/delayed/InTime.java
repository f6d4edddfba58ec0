package io.leasehold.engine.time.delayed;

import io.leasehold.engine.log.PeriodicTaskLog;
import io.leasehold.engine.threads.Pauses;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.LoggerFactory;

/**
 * Runs work whenever its time comes, despite errors, until its thread is interrupted. It sleeps
 * until the next known time, and at most for a second, since other processes may add an earlier
 * one.
 */
public final class InTime implements Runnable {

  private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

  /** Rows that are due but were skipped are locked by other transactions, which need a moment. */
  private static final Duration PAUSE_MIN = Duration.ofMillis(10);

  private final PeriodicTaskLog log;
  private final Alarm alarm;
  private final RandomGenerator random;
  private final Supplier<Optional<Duration>> work;

  /**
   * Creates a timed task.
   *
   * @param name the name of the task in the log
   * @param alarm wakes the task sooner
   * @param work runs each time; returns the delay until the next run, if known
   */
  public InTime(
      String name, Alarm alarm, RandomGenerator random, Supplier<Optional<Duration>> work) {
    this.log = new PeriodicTaskLog(LoggerFactory.getLogger(InTime.class), name);
    this.alarm = alarm;
    this.random = random;
    this.work = work;
  }

  @Override
  public void run() {
    try {
      while (true) {
        alarm.await(pause());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Duration pause() {
    try {
      var next = work.get();
      log.succeeded();
      return next.map(this::bounded).orElseGet(this::longest);
    } catch (RuntimeException e) {
      log.failed(e);
      return longest();
    }
  }

  private Duration bounded(Duration next) {
    return min(longest(), next.compareTo(PAUSE_MIN) < 0 ? PAUSE_MIN : next);
  }

  private Duration longest() {
    return Pauses.shortened(PAUSE_MAX, 0.2, random);
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
