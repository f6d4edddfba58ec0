package io.leasehold.engine.work.events;

import static io.leasehold.db.schema.Tables.EVENT;
import static io.leasehold.db.schema.Tables.LEASE;
import static io.leasehold.db.schema.Tables.PROGRESS;
import static io.leasehold.db.schema.Tables.TELLINGS;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.schema.tables.Lease;
import io.leasehold.engine.kernel.Fence;
import io.leasehold.engine.work.steps.Holder;
import java.util.List;
import java.util.stream.IntStream;
import org.jooq.CommonTableExpression;
import org.jooq.DSLContext;
import org.jooq.JSON;

/**
 * Writes the events of a running attempt in one statement, under the fence of its lease. The
 * statement locks the lease. Any other statement that takes the lease away waits until this one is
 * committed, and no event is written afterwards. Existing events are left unchanged.
 */
final class TellEvents {

  private static final Lease HELD = LEASE.as("held");

  private TellEvents() {}

  static void tell(DSLContext tx, Holder holder, EventBatch batch) {
    var statement = tx.with(held(holder, batch.isFirst())).with(events(batch));
    var whole =
        batch.progress().isEmpty() ? statement : statement.with(progress(batch.progress().get()));
    if (whole.select(HELD.ID).from(name("held")).fetch().isEmpty()) {
      throw holder.lost();
    }
  }

  // The first event shows that the attempt has begun. The lease is marked, so that this stays
  // recorded.
  private static CommonTableExpression<?> held(Holder holder, boolean first) {
    var isHeld = Fence.holds(holder.worker(), holder.id(), holder.token());
    if (first) {
      return name("held")
          .as(
              update(LEASE)
                  .set(LEASE.HANDLER_BEGUN, true)
                  .where(isHeld)
                  .returning(LEASE.TENANT_ID, LEASE.ID, LEASE.TOKEN, LEASE.ATTEMPT));
    }
    return name("held")
        .asMaterialized(
            select(LEASE.TENANT_ID, LEASE.ID, LEASE.TOKEN, LEASE.ATTEMPT)
                .from(LEASE)
                .where(isHeld)
                .forKeyShare());
  }

  private static CommonTableExpression<?> events(EventBatch batch) {
    var now = System.nanoTime();
    List<Telling> tellings = batch.tellings();
    var told =
        TELLINGS.call(
            IntStream.range(batch.first(), batch.next()).boxed().toArray(Integer[]::new),
            tellings.stream().map(one -> (now - one.toldAt()) / 1_000_000).toArray(Long[]::new),
            tellings.stream().map(Telling::kind).toArray(String[]::new),
            tellings.stream().map(Telling::body).toArray(JSON[]::new));
    return name("told")
        .as(
            insertInto(
                    EVENT,
                    EVENT.TENANT_ID,
                    EVENT.ID,
                    EVENT.TOKEN,
                    EVENT.NUMBER,
                    EVENT.TOLD_AT,
                    EVENT.KIND,
                    EVENT.ATTEMPT,
                    EVENT.BODY)
                .select(
                    select(
                            HELD.TENANT_ID,
                            HELD.ID,
                            HELD.TOKEN,
                            told.NUMBER,
                            currentOffsetDateTime().sub(told.AGE),
                            told.KIND,
                            HELD.ATTEMPT,
                            told.BODY)
                        .from(name("held"))
                        .crossJoin(told))
                .onConflictDoNothing()
                .returning(EVENT.ID));
  }

  private static CommonTableExpression<?> progress(Telling.Progress progress) {
    return name("last_progress")
        .as(
            insertInto(
                    PROGRESS,
                    PROGRESS.TENANT_ID,
                    PROGRESS.ID,
                    PROGRESS.TOKEN,
                    PROGRESS.PERCENT,
                    PROGRESS.NOTE,
                    PROGRESS.UPDATED_AT)
                .select(
                    select(
                            HELD.TENANT_ID,
                            HELD.ID,
                            HELD.TOKEN,
                            val(progress.percent()),
                            val(progress.note()),
                            currentOffsetDateTime())
                        .from(name("held")))
                .onConflict(PROGRESS.ID)
                .doUpdate()
                .set(PROGRESS.TOKEN, excluded(PROGRESS.TOKEN))
                .set(PROGRESS.PERCENT, excluded(PROGRESS.PERCENT))
                .set(PROGRESS.NOTE, excluded(PROGRESS.NOTE))
                .set(PROGRESS.UPDATED_AT, excluded(PROGRESS.UPDATED_AT))
                .returning(PROGRESS.ID));
  }
}
