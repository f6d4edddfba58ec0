package io.leasehold.runs.process;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits though it is interrupted, and says so afterwards. */
public final class Patience {

  private Patience() {}

  /** Looks until it is so, at most for so long; answers whether it is. */
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
