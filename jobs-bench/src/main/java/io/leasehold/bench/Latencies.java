package io.leasehold.bench;

import java.util.Arrays;

/** How long single things took, and what most of them took at most. */
public final class Latencies {

  private static final double NANOS_PER_MILLI = 1e6;

  private final long[] sorted;

  private Latencies(long[] sorted) {
    this.sorted = sorted;
  }

  /** Of these, in nanoseconds. */
  public static Latencies of(long... nanos) {
    var sorted = nanos.clone();
    Arrays.sort(sorted);
    return new Latencies(sorted);
  }

  /** From given times until each job ran, without the first, with which the machine warms up. */
  public static Latencies ofRuns(long[] since, Tally tally, int without) {
    var nanos = new long[since.length - without];
    Arrays.setAll(nanos, i -> tally.ranAt(without + i) - since[without + i]);
    return of(nanos);
  }

  /** What so many of a hundred took at most, in milliseconds. */
  public double millis(double percent) {
    var index = (int) Math.ceil(percent / 100 * sorted.length) - 1;
    return sorted[Math.max(0, index)] / NANOS_PER_MILLI;
  }

  /** The middle, the 99th of a hundred, and the longest, for a table. */
  public String[] cells() {
    return new String[] {
      Report.number(millis(50), 2), Report.number(millis(99), 2), Report.number(millis(100), 1)
    };
  }
}
