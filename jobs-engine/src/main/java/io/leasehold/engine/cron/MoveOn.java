package io.leasehold.engine.cron;

import static io.leasehold.db.schema.Tables.ADVANCE_SCHEDULE;
import static io.leasehold.db.schema.Tables.HOLD_SCHEDULE;
import static io.leasehold.db.schema.Tables.PUT_SCHEDULE_ASIDE;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobId;
import java.time.Instant;
import java.util.Optional;

/**
 * Moves a schedule on from a slot, in a transaction of its tenant. Each does so only if that slot
 * of that revision is the next one still.
 */
final class MoveOn {

  private MoveOn() {}

  /**
   * Holds a schedule until the transaction ends; answers whether it does. It does not where
   * somebody else holds it: that one's slot it is.
   */
  static boolean hold(ScopedTransaction tx, DueSchedule due) {
    var held = HOLD_SCHEDULE.call(due.which().name(), due.revision(), Times.stored(due.slot()));
    return tx.dsl().select(held.NAME).from(held).fetchOptional().isPresent();
  }

  /**
   * Says what comes next.
   *
   * @param next slot, unless it was the last
   * @param last slot that has a job, and that job, if there is one
   */
  static void advance(
      ScopedTransaction tx, DueSchedule due, Optional<Instant> next, Optional<Fired> last) {
    var advanced =
        ADVANCE_SCHEDULE.call(
            due.which().name(),
            due.revision(),
            Times.stored(due.slot()),
            Times.stored(next),
            Times.stored(last.map(Fired::slot)),
            last.map(its -> its.job().value()).orElse(null));
    tx.dsl().select(advanced.NAME).from(advanced).fetchSingle();
  }

  /** A slot, and its job. */
  record Fired(Instant slot, JobId job) {}

  /** Lets it rest, and tells its owner why; answers whether it does. */
  static boolean putAside(ScopedTransaction tx, DueSchedule due, String error) {
    var aside =
        PUT_SCHEDULE_ASIDE.call(
            due.which().name(), due.revision(), Times.stored(due.slot()), error);
    return tx.dsl().select(aside.NAME).from(aside).fetchOptional().isPresent();
  }
}
