package io.leasehold.engine.maintenance.retention;

import static io.leasehold.db.schema.Routines.dropDay;
import static org.jooq.impl.DSL.select;

import java.time.Duration;
import java.time.LocalDate;
import org.jooq.DSLContext;
import org.jooq.types.YearToSecond;

/** Drops the partitions of a day, if all of its jobs finished long enough ago. */
final class DropDay {

  /** The result of a drop. */
  enum Drop {
    DROPPED,
    /** A job of the day is unfinished, or finished too recently. */
    KEPT,
    /** Another transaction was in the way at that moment. */
    BUSY
  }

  private DropDay() {}

  static Drop drop(DSLContext tx, LocalDate day, Duration retention) {
    var word = tx.fetchSingle(select(dropDay(day, YearToSecond.valueOf(retention)))).value1();
    return switch (word) {
      case "dropped" -> Drop.DROPPED;
      case "kept" -> Drop.KEPT;
      case "busy" -> Drop.BUSY;
      default -> throw new IllegalStateException("a drop is not known to end as " + word);
    };
  }
}
