package io.leasehold.engine.time.delayed;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes the one who does something in time when it is to be done sooner than was known. Safe to
 * share between threads; one of them waits.
 */
public final class Alarm {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition sooner = lock.newCondition();

  /** Counted from its making, since the clock's own numbers may pass their end. */
  private final long origin = System.nanoTime();

  private long next = Long.MAX_VALUE;

  /** Nobody asked for anything yet. */
  @Inject
  public Alarm() {}

  /** Asks to be woken in so long, or before. */
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

  /** Waits until somebody's time has come, and that long at most. */
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
