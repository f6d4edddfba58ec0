package io.leasehold.engine.threads;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** How long the engine's threads pause. */
public final class Pauses {

  private static final Duration LOOK_EVERY = Duration.ofMillis(25);

  private Pauses() {}

  /**
   * Returns a pause that is shortened at random, so that the processes do not run in step.
   *
   * @param share by which part of it the pause is shortened at most, from 0 to 1
   */
  public static Duration shortened(Duration pause, double share, RandomGenerator random) {
    return Duration.ofNanos((long) (pause.toNanos() * (1 - random.nextDouble() * share)));
  }

  /**
   * Waits until a condition holds, the deadline has passed, or the thread is interrupted.
   *
   * @param deadline by {@link System#nanoTime}
   */
  public static void awaitUntil(long deadline, BooleanSupplier condition) {
    while (!condition.getAsBoolean()
        && System.nanoTime() - deadline < 0
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }
}
