package io.leasehold.engine.time.delayed;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes a timed task when it must run sooner than planned. Safe to share between threads; only one
 * thread waits.
 */
public final class Alarm {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition sooner = lock.newCondition();

  /** The origin of all times here, since the values of the clock itself may overflow. */
  private final long origin = System.nanoTime();

  private long next = Long.MAX_VALUE;

  /** Creates an alarm with no wake-up requested. */
  @Inject
  public Alarm() {}

  /** Requests a wake-up after {@code delay} or sooner. */
  public void wakeIn(Duration delay) {
    lock.lock();
    try {
      var at = now() + Math.min(NANOSECONDS.convert(delay), Long.MAX_VALUE / 2);
      if (at < next) {
        next = at;
        sooner.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the earliest requested wake-up, and at most for {@code most}. */
  void await(Duration most) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      var latest = now() + most.toNanos();
      var left = Math.min(latest, next) - now();
      while (left > 0) {
        left = sooner.awaitNanos(left) > 0 ? Math.min(latest, next) - now() : 0;
      }
      if (next <= now()) {
        next = Long.MAX_VALUE;
      }
    } finally {
      lock.unlock();
    }
  }

  private long now() {
    return System.nanoTime() - origin;
  }
}
