package io.leasehold.engine.time.cron;

import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A cron expression as local times without a zone: years, days and hours. The library that
 * evaluates it works in UTC, where clocks never change. Immutable.
 */
public final class CronExpression {

  private static final Map<String, String> BY_NAME =
      Map.of(
          "@hourly", "0 * * * *",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@weekly", "0 0 * * 0",
          "@monthly", "0 0 1 * *",
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *");

  private static final int FIELDS = 5;
  private static final Pattern SPACE = Pattern.compile("\\s+");
  private static final Pattern FIELD = Pattern.compile("[0-9A-Za-z*,/-]+");

  private final ExecutionTime times;
  private final boolean ofEveryHour;

  private CronExpression(ExecutionTime times, boolean ofEveryHour) {
    this.times = times;
    this.ofEveryHour = ofEveryHour;
  }

  /**
   * Parses an expression of five fields, of six fields with seconds first, or a named one.
   *
   * @throws IllegalArgumentException if the expression is invalid or never matches
   */
  public static CronExpression of(String text) {
    var plain = BY_NAME.getOrDefault(text.strip(), text.strip());
    var fields = SPACE.split(plain);
    if (fields.length < FIELDS || fields.length > FIELDS + 1) {
      throw refused(text, "it has %d fields".formatted(fields.length));
    }
    for (var field : fields) {
      if (!FIELD.matcher(field).matches()) {
        throw refused(text, "a field cannot be '%s'".formatted(field));
      }
    }
    var whole = (fields.length == FIELDS ? "0 " : "") + String.join(" ", fields);
    var expression =
        new CronExpression(read(text, whole), fields[fields.length - 4].startsWith("*"));
    if (expression.next(LocalDateTime.of(2000, 1, 1, 0, 0)).isEmpty()) {
      throw refused(text, "it never comes true");
    }
    return expression;
  }

  private static ExecutionTime read(String text, String whole) {
    try {
      return ExecutionTime.forCron(new CronParser(definition()).parse(whole).validate());
    } catch (RuntimeException e) { // The library throws more kinds of exceptions than it documents.
      throw refused(text, String.valueOf(e.getMessage()));
    }
  }

  private static IllegalArgumentException refused(String text, String why) {
    return new IllegalArgumentException(
        "cron must have 5 fields, or 6 with seconds, or be one of %s, not '%s': %s"
            .formatted(BY_NAME.keySet().stream().sorted().toList(), text, why));
  }

  private static CronDefinition definition() {
    return CronDefinitionBuilder.defineCron()
        .withSeconds()
        .withStrictRange()
        .and()
        .withMinutes()
        .withStrictRange()
        .and()
        .withHours()
        .withStrictRange()
        .and()
        .withDayOfMonth()
        .withStrictRange()
        .and()
        .withMonth()
        .withStrictRange()
        .and()
        .withDayOfWeek()
        .withValidRange(0, 7)
        .withMondayDoWValue(1)
        .withIntMapping(7, 0)
        .withStrictRange()
        .and()
        .instance();
  }

  /**
   * Returns whether the hour field starts with {@code *}, which means every hour or every n-th
   * hour.
   */
  public boolean isOfEveryHour() {
    return ofEveryHour;
  }

  /** Returns the first matching time after {@code after}. */
  Optional<LocalDateTime> next(LocalDateTime after) {
    return times
        .nextExecution(after.truncatedTo(ChronoUnit.SECONDS).atZone(ZoneOffset.UTC))
        .map(ZonedDateTime::toLocalDateTime);
  }
}
