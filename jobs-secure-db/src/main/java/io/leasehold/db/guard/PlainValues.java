package io.leasehold.db.guard;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.SQLWarning;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.geometric.PGbox;
import org.postgresql.geometric.PGcircle;
import org.postgresql.geometric.PGline;
import org.postgresql.geometric.PGlseg;
import org.postgresql.geometric.PGpath;
import org.postgresql.geometric.PGpoint;
import org.postgresql.geometric.PGpolygon;
import org.postgresql.util.PGInterval;
import org.postgresql.util.PGmoney;
import org.postgresql.util.PGobject;
import org.postgresql.util.PSQLWarning;

/**
 * Values that give access to nothing else. The exact class counts, not its subclasses, because a
 * module can write a subclass that keeps what the driver passes to it.
 */
final class PlainValues {

  private static final Set<Class<?>> BOTH_WAYS =
      Set.of(
          Boolean.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigDecimal.class,
          BigInteger.class,
          Character.class,
          String.class,
          UUID.class,
          byte[].class,
          Date.class,
          Time.class,
          Timestamp.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          OffsetTime.class,
          OffsetDateTime.class,
          PGobject.class,
          PGInterval.class,
          PGmoney.class,
          PGbox.class,
          PGcircle.class,
          PGline.class,
          PGlseg.class,
          PGpath.class,
          PGpoint.class,
          PGpolygon.class);

  /** The counts of a batch, an hstore, and warnings. */
  private static final Set<Class<?>> RESULTS =
      Set.of(int[].class, long[].class, HashMap.class, SQLWarning.class, PSQLWarning.class);

  private PlainValues() {}

  /**
   * Returns whether the driver may receive these: plain values, or classes of plain values, which
   * it instantiates.
   */
  static boolean areArguments(@Nullable Object @Nullable [] arguments) {
    if (arguments != null) {
      for (var argument : arguments) { // No stream: this runs for every value.
        if (!isArgument(argument)) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isArgument(@Nullable Object value) {
    return value == null
        || BOTH_WAYS.contains(value instanceof Class<?> type ? type : value.getClass());
  }

  /** Returns whether a value of the driver can be passed on unchanged. */
  static boolean isResult(@Nullable Object value) {
    return value == null
        || BOTH_WAYS.contains(value.getClass())
        || RESULTS.contains(value.getClass())
        || (value instanceof Object[] array
            && Arrays.stream(array).allMatch(PlainValues::isResult));
  }
}
