package io.leasehold.engine.time.delayed;

import io.leasehold.engine.log.PeriodicTaskLog;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.LoggerFactory;

/**
 * Does something when its time comes, whatever happens, until its thread is interrupted: sleeps
 * until the next time that is known, at most a second, since other processes may have made one that
 * is sooner.
 */
public final class InTime implements Runnable {

  private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

  /** What is due and was skipped is held by others, who need a moment. */
  private static final Duration PAUSE_MIN = Duration.ofMillis(10);

  private final PeriodicTaskLog log;
  private final Alarm alarm;
  private final RandomGenerator random;
  private final Supplier<Optional<Duration>> work;

  /**
   * What to do.
   *
   * @param name of it, for the log
   * @param alarm wakes it sooner
   * @param work done each time; answers in how long it is to be done again, if that is known
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

  // Shortened by chance, so that many processes do not keep step.
  private Duration longest() {
    return Duration.ofNanos((long) (PAUSE_MAX.toNanos() * (0.8 + random.nextDouble() / 5)));
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
