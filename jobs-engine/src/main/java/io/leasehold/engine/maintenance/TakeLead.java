package io.leasehold.engine.maintenance;

import static io.leasehold.db.schema.Tables.LEADER;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import io.leasehold.engine.kernel.WorkerId;
import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.types.DayToSecond;

/**
 * Takes or keeps the lead in a duty, in one statement. The lead is a row and not a session lock, so
 * it works through a connection pooler, and a leader that is gone is replaced when its lead
 * expires.
 *
 * <p>A lead that ends later than twice its length from now was taken before the database's clock
 * was set back. It counts as free, since two leaders for a moment do no harm.
 */
final class TakeLead {

  private TakeLead() {}

  /** Returns whether this worker now leads for {@code lead}. */
  static boolean take(DSLContext tx, String duty, WorkerId worker, Duration lead) {
    var until = currentOffsetDateTime().add(DayToSecond.valueOf(lead));
    var tooLate = currentOffsetDateTime().add(DayToSecond.valueOf(lead.multipliedBy(2)));
    return tx.insertInto(LEADER, LEADER.DUTY, LEADER.WORKER_ID, LEADER.UNTIL)
            .select(select(val(duty), val(worker.value()), until))
            .onConflict(LEADER.DUTY)
            .doUpdate()
            .set(LEADER.WORKER_ID, excluded(LEADER.WORKER_ID))
            .set(LEADER.UNTIL, excluded(LEADER.UNTIL))
            .where(
                LEADER
                    .WORKER_ID
                    .eq(worker.value())
                    .or(LEADER.UNTIL.lt(currentOffsetDateTime()))
                    .or(LEADER.UNTIL.gt(tooLate)))
            .execute()
        == 1;
  }
}
