package io.leasehold.rest.settings;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Pattern;

/** Durations as people write them: a number and its unit. */
public final class DurationSettings {

  private static final Pattern WRITTEN = Pattern.compile("\\s*([0-9]{1,9})\\s*(ms|s|m|h|d)\\s*");
  private static final Pattern IN_A_MESSAGE = Pattern.compile("\\bPT[0-9][0-9HMS.]*\\b");

  private static final Map<String, ChronoUnit> UNITS =
      Map.of(
          "ms", ChronoUnit.MILLIS,
          "s", ChronoUnit.SECONDS,
          "m", ChronoUnit.MINUTES,
          "h", ChronoUnit.HOURS,
          "d", ChronoUnit.DAYS);

  private DurationSettings() {}

  /**
   * Parses a duration.
   *
   * @throws IllegalArgumentException if the text is not a duration
   */
  public static Duration read(String text) {
    var written = WRITTEN.matcher(text);
    if (!written.matches()) {
      throw Kinds.refused("a time with its unit, as in 250ms, 30s, 5m, 2h, 14d", text);
    }
    var unit = UNITS.getOrDefault(written.group(2), ChronoUnit.SECONDS);
    return Duration.of(Long.parseLong(written.group(1)), unit);
  }

  /** Formats a duration in the largest unit that needs no fraction. */
  public static String write(Duration time) {
    if (time.toMillisPart() != 0 || time.isZero()) {
      return time.isZero() ? "0s" : time.toMillis() + "ms";
    }
    if (time.toSecondsPart() != 0) {
      return time.toSeconds() + "s";
    }
    if (time.toMinutesPart() != 0) {
      return time.toMinutes() + "m";
    }
    return time.toHoursPart() == 0 ? time.toDays() + "d" : time.toHours() + "h";
  }

  /** Rewrites the durations in a message as people write them. */
  static String inWords(String message) {
    return IN_A_MESSAGE.matcher(message).replaceAll(it -> write(Duration.parse(it.group())));
  }
}
