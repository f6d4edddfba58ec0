package io.leasehold.engine.threads;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Wakes a waiting thread. If no thread is waiting, the next wait returns at once; several rings
 * count as one.
 */
public final class Signal {

  private final Semaphore rung = new Semaphore(0);

  /** Wakes the waiting thread, or the next one that waits. */
  public void ring() {
    if (rung.availablePermits() == 0) {
      rung.release();
    }
  }

  public void await(Duration most) throws InterruptedException {
    if (rung.tryAcquire(most.toNanos(), TimeUnit.NANOSECONDS)) {
      rung.drainPermits();
    }
  }
}
