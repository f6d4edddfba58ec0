package io.leasehold.engine.time.schedules;

import static io.leasehold.db.schema.Tables.PAUSE_SCHEDULE;
import static io.leasehold.db.schema.Tables.REMOVE_SCHEDULE;
import static io.leasehold.db.schema.Tables.RESUME_SCHEDULE;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.engine.time.cron.StoredTimes;
import java.time.Instant;
import java.util.Optional;

/** Has a schedule rest, go on, or go, in the caller's transaction; each answers whether it does. */
final class ChangeSchedule {

  private ChangeSchedule() {}

  static boolean pause(ScopedTransaction tx, String name) {
    var paused = PAUSE_SCHEDULE.call(name, tx.caller().principal());
    return tx.dsl().select(paused.NAME).from(paused).fetchOptional().isPresent();
  }

  /**
   * Goes on.
   *
   * @param revision that the next slot is of; another one does not go on
   */
  static boolean resume(ScopedTransaction tx, String name, long revision, Optional<Instant> next) {
    var resumed = RESUME_SCHEDULE.call(name, revision, StoredTimes.stored(next));
    return tx.dsl().select(resumed.NAME).from(resumed).fetchOptional().isPresent();
  }

  static boolean remove(ScopedTransaction tx, String name) {
    var removed = REMOVE_SCHEDULE.call(name);
    return tx.dsl().select(removed.NAME).from(removed).fetchOptional().isPresent();
  }
}
