package io.leasehold.engine.threads;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Wakes the one who waits; rung while nobody waits, it is heard at the next wait, once. */
public final class Signal {

  private final Semaphore rung = new Semaphore(0);

  /** Wakes whoever waits, or will next. */
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
