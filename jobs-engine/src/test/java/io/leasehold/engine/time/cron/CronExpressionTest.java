package io.leasehold.engine.time.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.leasehold.engine.time.schedules.RandomFields;
import java.time.LocalDateTime;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronExpressionTest {

  private static final LocalDateTime BEGIN = LocalDateTime.of(2026, 11, 19, 12, 34, 56);

  private static LocalDateTime next(String cron) {
    return CronExpression.of(cron).next(BEGIN).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "* * * * *          | 2026-11-19T12:35",
        "*/15 * * * *       | 2026-11-19T12:45",
        "30 2 * * *         | 2026-11-20T02:30",
        "0 8-17/3 * * *     | 2026-11-19T14:00",
        "0 0 1,15 * *       | 2026-12-01T00:00",
        "0 9 * * MON-FRI    | 2026-11-20T09:00",
        "0 9 * * mon        | 2026-11-23T09:00",
        "0 0 * * 0          | 2026-11-22T00:00",
        "0 0 * * 7          | 2026-11-22T00:00",
        "0 0 * * SUN        | 2026-11-22T00:00",
        "0 0 * * 5-7        | 2026-11-20T00:00",
        "0 0 * * 6,7        | 2026-11-21T00:00",
        "0 0 29 2 *         | 2028-02-29T00:00",
        "0 0 1 JAN *        | 2027-01-01T00:00",
        "0 0 31 * *         | 2026-12-31T00:00",
        "* * * * * *        | 2026-11-19T12:34:57",
        "*/20 * * * * *     | 2026-11-19T12:35",
        "59 34 12 * * *     | 2026-11-19T12:34:59",
        "@hourly            | 2026-11-19T13:00",
        "@daily             | 2026-11-20T00:00",
        "@midnight          | 2026-11-20T00:00",
        "@weekly            | 2026-11-22T00:00",
        "@monthly           | 2026-12-01T00:00",
        "@yearly            | 2027-01-01T00:00",
        "@annually          | 2027-01-01T00:00",
      })
  void findsTheNextTime(String cron, LocalDateTime next) {
    assertThat(next(cron)).isEqualTo(next);
  }

  /** Of the two days, as crontabs have it, either is enough. */
  @Test
  void matchesEitherDayIfBothAreGiven() {
    var expression = CronExpression.of("0 0 13 * FRI");

    var days =
        Stream.iterate(
                expression.next(BEGIN).orElseThrow(), it -> expression.next(it).orElseThrow())
            .limit(5)
            .map(it -> "%d.%d".formatted(it.getDayOfMonth(), it.getMonthValue()));

    assertThat(days).containsExactly("20.11", "27.11", "4.12", "11.12", "13.12");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*",
        "* * * *",
        "* * * * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * 32 * *",
        "* * * 13 *",
        "* * * * 8",
        "61 * * * * *",
        "*/0 * * * *",
        "5-1 * * * *",
        "x * * * *",
        "* * L * *",
        "* * 15W * *",
        "* * * * 5#3",
        "? * * * *",
        "@reboot",
        "@never",
        "0 0 30 2 *",
        "0 0 31 4,6,9,11 *",
        "0 0 * * * ; DROP TABLE schedule",
        "\u0000 * * * *",
      })
  void invalidExpressionIsRefused(String cron) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CronExpression.of(cron))
        .withMessageStartingWith("cron must ")
        .withMessageContaining("'" + cron + "'");
  }

  @Test
  void knowsWhetherItNamesHours() {
    assertThat(CronExpression.of("5 * * * *").isOfEveryHour()).isTrue();
    assertThat(CronExpression.of("0 5 */2 * * *").isOfEveryHour()).isTrue();
    assertThat(CronExpression.of("@hourly").isOfEveryHour()).isTrue();
    assertThat(CronExpression.of("* 2 * * *").isOfEveryHour()).isFalse();
    assertThat(CronExpression.of("* * 2 * * *").isOfEveryHour()).isFalse();
    assertThat(CronExpression.of("@daily").isOfEveryHour()).isFalse();
  }

  /** Minute by minute, by a reading of our own of what the fields say. */
  @Test
  void findsTheSameTimesAsATestOfEachMinute() {
    var seed = Long.getLong("leasehold.seed", new Random().nextLong());
    var random = new Random(seed);
    for (var i = 0; i < 300; i++) {
      var fields = RandomFields.of(random);
      var at = BEGIN.withSecond(0).plusMinutes(random.nextInt(500_000));
      var what = "seed %d: %s after %s".formatted(seed, fields.cron(), at);

      var next = CronExpression.of(fields.cron()).next(at);

      assertThat(next).as(what).isEqualTo(Optional.of(fields.firstAfter(at)));
    }
  }
}
