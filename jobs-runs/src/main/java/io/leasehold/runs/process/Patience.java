package io.leasehold.runs.process;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits despite interrupts, and restores the interrupt status afterwards. */
public final class Patience {

  private Patience() {}

  /** Polls until the condition holds, for up to {@code most}; returns whether it holds. */
  public static boolean until(BooleanSupplier isSo, Duration most, Duration lookEvery) {
    var deadline = System.nanoTime() + most.toNanos();
    var interrupted = false;
    var so = isSo.getAsBoolean();
    while (!so && System.nanoTime() - deadline < 0) {
      try {
        Thread.sleep(lookEvery);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      so = isSo.getAsBoolean();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return so;
  }
}
