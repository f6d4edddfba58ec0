package io.leasehold.bench;

import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/** The median of several measurements, which a single disturbed one does not change. */
public final class Middle {

  private Middle() {}

  /** Returns the median. */
  public static double of(Collection<Double> values) {
    var sorted = values.stream().sorted().toList();
    var middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /** Returns the median of the ratios, round by round. */
  public static double ofRatios(List<Double> some, List<Double> others) {
    return of(
        IntStream.range(0, some.size())
            .mapToObj(round -> some.get(round) / others.get(round))
            .toList());
  }
}
