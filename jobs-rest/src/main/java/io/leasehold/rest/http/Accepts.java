package io.leasehold.rest.http;

import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Which media types a client takes. */
public final class Accepts {

  private static final double EXACT = 3;
  private static final double SAME_KIND = 2;
  private static final double ANY = 1;

  private final List<Range> ranges;

  private Accepts(List<Range> ranges) {
    this.ranges = ranges;
  }

  /**
   * Chooses among what there is.
   *
   * @param headers all values of the header {@code Accept}; without any, or if all are empty,
   *     everything is taken
   * @param given the first of them where the client has no preference
   * @throws RequestRefusal if it takes none
   */
  public static String choose(List<String> headers, List<String> given) {
    var ranges =
        headers.stream()
            .flatMap(header -> Stream.of(header.split(",", -1)))
            .flatMap(range -> Range.of(range).stream())
            .toList();
    if (headers.stream().allMatch(String::isBlank)) {
      return given.getFirst();
    }
    var accepts = new Accepts(ranges);
    return given.stream()
        .filter(type -> accepts.quality(type) > 0)
        // The first of the best.
        .reduce((one, other) -> accepts.quality(other) > accepts.quality(one) ? other : one)
        .orElseThrow(() -> RequestRefusal.of(Problem.NOT_ACCEPTABLE));
  }

  private double quality(String type) {
    return ranges.stream()
        .filter(range -> range.fit(type) > 0)
        .max(Comparator.comparingDouble(range -> range.fit(type)))
        .map(Range::quality)
        .orElse(0.0);
  }

  /** One of the header's. */
  private record Range(String type, double quality) {

    static Optional<Range> of(String text) {
      // Not by a pattern with spaces in it, which a long run of them makes quadratic.
      var parts =
          Stream.of(text.toLowerCase(Locale.ROOT).split(";", -1)).map(String::strip).toList();
      var quality = 1.0;
      for (var part : parts) {
        if (part.startsWith("q=")) {
          if (!part.matches("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)")) {
            return Optional.empty();
          }
          quality = Double.parseDouble(part.substring("q=".length()));
        }
      }
      return Optional.of(new Range(parts.getFirst(), quality));
    }

    /** How exactly it says this type; 0 if it does not. */
    double fit(String given) {
      if (type.equals(given)) {
        return EXACT;
      }
      if (type.endsWith("/*") && given.startsWith(type.substring(0, type.length() - 1))) {
        return SAME_KIND;
      }
      return type.equals("*/*") ? ANY : 0;
    }
  }
}
