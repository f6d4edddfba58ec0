package io.leasehold.rest.parse;

import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The media types that a client accepts. Jetty's parser forgets types of quality 0, which a
 * wildcard would then accept.
 */
public final class Accepts {

  private static final double EXACT = 3;
  private static final double SAME_KIND = 2;
  private static final double ANY = 1;

  private final List<Range> ranges;

  private Accepts(List<Range> ranges) {
    this.ranges = ranges;
  }

  /**
   * Chooses one of the available media types.
   *
   * @param headers all values of the header {@code Accept}; if there are none, or all are empty,
   *     every type is accepted
   * @param given the available types; the first one is chosen if the client has no preference
   * @throws RequestRefusal if the client accepts none of them
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
        // The first of several types with the same quality.
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

  /** One range of the header. */
  private record Range(String type, double quality) {

    static Optional<Range> of(String text) {
      // Splits without a regular expression that contains spaces, which would be quadratic on a
      // long run of spaces.
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

    /** How specifically the range matches this type; 0 if it does not match. */
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
