package io.leasehold.bench;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Runs actions at given times, however long the earlier ones take. Delay is measured from the time
 * an action was due, so that a stall counts for every action that it delays.
 */
public final class BenchPace {

  private static final long SPIN_NANOS = 100_000;

  private final long begin = System.nanoTime();
  private final long everyNanos;

  private BenchPace(long everyNanos) {
    this.everyNanos = everyNanos;
  }

  /** Creates a pace with one action per interval, starting now. */
  public static BenchPace every(Duration interval) {
    return new BenchPace(interval.toNanos());
  }

  /** When the action of that number is due, by {@link System#nanoTime}. */
  public long dueAt(int number) {
    return begin + number * everyNanos;
  }

  /**
   * Runs every {@code step}-th action, starting at {@code first}, each when it is due; returns how
   * long after its due time each one finished.
   */
  public long[] run(int first, int step, int count, IntConsumer what) {
    var took = new long[Math.ceilDiv(count - first, step)];
    for (int i = 0; i < took.length; i++) {
      var number = first + i * step;
      await(dueAt(number));
      what.accept(number);
      took[i] = System.nanoTime() - dueAt(number);
    }
    return took;
  }

  private static void await(long time) {
    while (true) {
      var left = time - System.nanoTime();
      if (left <= 0) {
        return;
      }
      if (left > SPIN_NANOS) {
        LockSupport.parkNanos(left - SPIN_NANOS);
      } else {
        Thread.onSpinWait();
      }
    }
  }
}
