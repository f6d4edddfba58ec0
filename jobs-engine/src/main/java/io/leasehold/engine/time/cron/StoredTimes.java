package io.leasehold.engine.time.cron;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.when;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The database's clock, and conversions between its timestamps and instants. */
public final class StoredTimes {

  /** The current time, and not the start of the transaction. */
  public static final Field<OffsetDateTime> NOW =
      function(name("clock_timestamp"), SQLDataType.TIMESTAMPWITHTIMEZONE);

  /** No slot is earlier. A stored slot before this time cannot be read. */
  public static final OffsetDateTime EARLIEST = Instant.EPOCH.atOffset(ZoneOffset.UTC);

  private static final OffsetDateTime LATEST = OffsetDateTime.parse("9999-12-31T00:00:00Z");

  private StoredTimes() {}

  /**
   * Returns the column with null for times outside the years 1970 to 9999, such as minus infinity,
   * which cannot be read.
   */
  public static Field<OffsetDateTime> readable(Field<OffsetDateTime> time) {
    return when(isReadable(time), time).as(time);
  }

  public static Condition isReadable(Field<OffsetDateTime> time) {
    return time.between(EARLIEST, LATEST);
  }

  public static Instant now(DSLContext tx) {
    return tx.select(NOW).fetchSingle().value1().toInstant();
  }

  public static @Nullable OffsetDateTime stored(Optional<Instant> instant) {
    return instant.map(StoredTimes::stored).orElse(null);
  }

  public static OffsetDateTime stored(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  public static Optional<Instant> instant(@Nullable OffsetDateTime stored) {
    return Optional.ofNullable(stored).map(OffsetDateTime::toInstant);
  }
}
