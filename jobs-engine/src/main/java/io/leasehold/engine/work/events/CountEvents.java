package io.leasehold.engine.work.events;

import static io.leasehold.db.schema.Tables.EVENT;

import io.leasehold.engine.work.steps.Holder;
import org.jooq.DSLContext;

/** Counts the events that all attempts of a job have reported. Uses {@code event_has_its_place}. */
final class CountEvents {

  private CountEvents() {}

  static int count(DSLContext tx, Holder holder) {
    return tx.fetchCount(
        EVENT,
        EVENT.ID.eq(holder.id()),
        EVENT.NUMBER.lt(EventBatch.NUMBERS_MAX),
        EVENT.KIND.ne(Telling.CANCEL_REQUESTED));
  }
}
