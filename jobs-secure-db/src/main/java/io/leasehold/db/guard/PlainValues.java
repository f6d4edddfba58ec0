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
 * Values that lead to nothing else. A class counts and its subclasses do not, because a module can
 * write one that keeps what the driver hands to it.
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

  /** A batch's counts, an hstore, and warnings. */
  private static final Set<Class<?>> RESULTS =
      Set.of(int[].class, long[].class, HashMap.class, SQLWarning.class, PSQLWarning.class);

  private PlainValues() {}

  /** Whether the driver may be given these: plain values, and classes of which it makes such. */
  static boolean areArguments(@Nullable Object @Nullable [] arguments) {
    if (arguments != null) {
      for (var argument : arguments) { // No stream: each value of each row comes by here.
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

  /** Whether a value of the driver's can be handed on as it is. */
  static boolean isResult(@Nullable Object value) {
    return value == null
        || BOTH_WAYS.contains(value.getClass())
        || RESULTS.contains(value.getClass())
        || (value instanceof Object[] array
            && Arrays.stream(array).allMatch(PlainValues::isResult));
  }
}
