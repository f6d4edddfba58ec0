package io.leasehold.engine.time.schedules;

import static io.leasehold.db.schema.Tables.PAUSE_SCHEDULE;
import static io.leasehold.db.schema.Tables.REMOVE_SCHEDULE;
import static io.leasehold.db.schema.Tables.RESUME_SCHEDULE;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.engine.time.cron.StoredTimes;
import java.time.Instant;
import java.util.Optional;

/**
 * Pauses, resumes or deletes a schedule, in the caller's transaction. Each method returns whether
 * it did so.
 */
final class ChangeSchedule {

  private ChangeSchedule() {}

  static boolean pause(ScopedTransaction tx, String name) {
    var paused = PAUSE_SCHEDULE.call(name, tx.caller().principal());
    return tx.dsl().select(paused.NAME).from(paused).fetchOptional().isPresent();
  }

  /**
   * Resumes the schedule.
   *
   * @param revision the revision that the next slot belongs to; another revision is not resumed
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
