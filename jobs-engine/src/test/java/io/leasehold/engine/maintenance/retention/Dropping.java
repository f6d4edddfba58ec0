package io.leasehold.engine.maintenance.retention;

import java.time.Duration;
import java.time.LocalDate;
import org.jooq.DSLContext;

/** Lets tests of other packages drop a day. */
public final class Dropping {

  private Dropping() {}

  /** Drops it as the upkeep does, and answers what came of it. */
  public static String drop(DSLContext tx, LocalDate day, Duration retention) {
    return DropDay.drop(tx, day, retention).name();
  }
}
