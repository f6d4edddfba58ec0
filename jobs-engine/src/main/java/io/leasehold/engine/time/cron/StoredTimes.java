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

/** Instants as the database has them, and its clock. */
public final class StoredTimes {

  /** What it is, and not when the transaction began. */
  public static final Field<OffsetDateTime> NOW =
      function(name("clock_timestamp"), SQLDataType.TIMESTAMPWITHTIMEZONE);

  /** No slot is earlier: what is stored for one cannot be read. */
  public static final OffsetDateTime EARLIEST = Instant.EPOCH.atOffset(ZoneOffset.UTC);

  private static final OffsetDateTime LATEST = OffsetDateTime.parse("9999-12-31T00:00:00Z");

  private StoredTimes() {}

  /** A column without what no instant is, such as minus infinity, which could not be read. */
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
