package io.leasehold.bench;

import java.util.Arrays;

/** The durations of single operations, and their percentiles. */
public final class Latencies {

  private static final double NANOS_PER_MILLI = 1e6;

  private final long[] sorted;

  private Latencies(long[] sorted) {
    this.sorted = sorted;
  }

  /** Creates a sample of durations in nanoseconds. */
  public static Latencies of(long... nanos) {
    var sorted = nanos.clone();
    Arrays.sort(sorted);
    return new Latencies(sorted);
  }

  /**
   * Creates a sample of the times until each job ran, without the first {@code without} jobs, which
   * warm the machine up.
   */
  public static Latencies ofRuns(long[] since, Tally tally, int without) {
    var nanos = new long[since.length - without];
    Arrays.setAll(nanos, i -> tally.ranAt(without + i) - since[without + i]);
    return of(nanos);
  }

  /** Returns a percentile in milliseconds. */
  public double millis(double percent) {
    var index = (int) Math.ceil(percent / 100 * sorted.length) - 1;
    return sorted[Math.max(0, index)] / NANOS_PER_MILLI;
  }

  /** Returns the median, the 99th percentile and the maximum, as cells of a table. */
  public String[] cells() {
    return new String[] {
      Report.number(millis(50), 2), Report.number(millis(99), 2), Report.number(millis(100), 1)
    };
  }
}
