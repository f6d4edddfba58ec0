package io.leasehold.engine.cron;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Instants as the database has them, and its clock. */
final class Times {

  /** What it is, and not when the transaction began. */
  static final Field<OffsetDateTime> NOW =
      function(name("clock_timestamp"), SQLDataType.TIMESTAMPWITHTIMEZONE);

  private Times() {}

  static Instant now(DSLContext tx) {
    return tx.select(NOW).fetchSingle().value1().toInstant();
  }

  static @Nullable OffsetDateTime stored(Optional<Instant> instant) {
    return instant.map(Times::stored).orElse(null);
  }

  static OffsetDateTime stored(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  static Optional<Instant> instant(@Nullable OffsetDateTime stored) {
    return Optional.ofNullable(stored).map(OffsetDateTime::toInstant);
  }
}
