package io.leasehold.arch.planted;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.function.Supplier;

/** Ways to the time. */
@SuppressWarnings("JavaUtilDate")
public final class TimeUse {

  private TimeUse() {}

  public static final class TakesInstants {
    Instant now() {
      return Instant.now();
    }
  }

  public static final class TakesReference {
    Supplier<Instant> now() {
      return Instant::now;
    }
  }

  public static final class TakesLocalTime {
    LocalDateTime now() {
      return LocalDateTime.now(ZoneOffset.UTC);
    }
  }

  public static final class TakesMillis {
    long now() {
      return System.currentTimeMillis();
    }
  }

  public static final class MakesDates {
    Date now() {
      return new Date();
    }
  }

  public static final class MakesClocks {
    Clock clock() {
      return Clock.systemUTC();
    }
  }

  /** The clean twin. */
  public static final class Measures {
    long since(long start) {
      return System.nanoTime() - start;
    }

    LocalDate today(Clock clock) {
      return LocalDate.now(clock);
    }

    Date of(long millis) {
      return new Date(millis);
    }
  }
}
