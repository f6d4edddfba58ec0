package io.leasehold.engine.time.schedules;

import java.time.LocalDateTime;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An expression made by chance, and what its fields allow. It comes true on some day of each year.
 *
 * @param cron the expression
 */
public record RandomFields(
    String cron,
    Set<Integer> minutes,
    Set<Integer> hours,
    Set<Integer> days,
    Set<Integer> months,
    Set<Integer> weekdays,
    boolean anyDay,
    boolean anyWeekday) {

  /** A field: what it says, and what that allows. */
  private record Field(String text, Set<Integer> allowed) {

    static Field of(Random random, int least, int most) {
      return switch (random.nextInt(5)) {
        case 0 -> range(random, least, most);
        case 1 -> list(random, least, most);
        case 2 -> step(2 + random.nextInt(most / 2), least, most);
        default -> new Field("*", all(least, most));
      };
    }

    private static Field range(Random random, int least, int most) {
      var from = least + random.nextInt(most - least + 1);
      var to = from + random.nextInt(most - from + 1);
      return new Field(from + "-" + to, all(from, to));
    }

    private static Field list(Random random, int least, int most) {
      var some =
          random
              .ints(1 + random.nextInt(3), least, most + 1)
              .boxed()
              .collect(Collectors.toCollection(TreeSet::new));
      return new Field(some.stream().map(String::valueOf).collect(Collectors.joining(",")), some);
    }

    private static Field step(int step, int least, int most) {
      return new Field(
          "*/" + step,
          IntStream.rangeClosed(least, most)
              .filter(it -> (it - least) % step == 0)
              .boxed()
              .collect(Collectors.toSet()));
    }

    private static Set<Integer> all(int least, int most) {
      return IntStream.rangeClosed(least, most).boxed().collect(Collectors.toSet());
    }

    boolean isAny() {
      return text.equals("*");
    }
  }

  public static RandomFields of(Random random) {
    var minutes = Field.of(random, 0, 59);
    var hours = Field.of(random, 0, 23);
    var days = Field.of(random, 1, 28);
    var months = Field.of(random, 1, 12);
    var weekdays = Field.of(random, 0, 6);
    return new RandomFields(
        String.join(" ", minutes.text(), hours.text(), days.text(), months.text(), weekdays.text()),
        minutes.allowed(),
        hours.allowed(),
        days.isAny()
            ? Field.all(1, 31)
            : days.text().startsWith("*/") ? upTo31(days) : days.allowed(),
        months.allowed(),
        weekdays.allowed(),
        days.isAny(),
        weekdays.isAny());
  }

  private static Set<Integer> upTo31(Field days) {
    var step = Integer.parseInt(days.text().substring(2));
    return Field.step(step, 1, 31).allowed();
  }

  public LocalDateTime firstAfter(LocalDateTime time) {
    var minute = time.plusMinutes(1);
    while (!isDay(minute)) {
      minute = minute.plusDays(1).withHour(0).withMinute(0);
    }
    while (!hours.contains(minute.getHour()) || !minutes.contains(minute.getMinute())) {
      minute = minute.plusMinutes(1);
      while (!isDay(minute)) {
        minute = minute.plusDays(1).withHour(0).withMinute(0);
      }
    }
    return minute;
  }

  // Either day is enough where none is just a star, as crontabs have it.
  private boolean isDay(LocalDateTime time) {
    var isDay = days.contains(time.getDayOfMonth());
    var isWeekday = weekdays.contains(time.getDayOfWeek().getValue() % 7);
    return months.contains(time.getMonthValue())
        && ((anyDay || anyWeekday) ? isDay && isWeekday : isDay || isWeekday);
  }
}
