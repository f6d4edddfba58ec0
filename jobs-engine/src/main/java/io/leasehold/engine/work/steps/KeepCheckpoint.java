package io.leasehold.engine.work.steps;

import static io.leasehold.db.schema.Tables.KEEP_CHECKPOINT;

import io.leasehold.db.ScopedTransaction;
import org.jooq.JSON;

/** Writes a job's checkpoint in the caller's transaction, which locks the lease until it ends. */
final class KeepCheckpoint {

  private KeepCheckpoint() {}

  static void keep(ScopedTransaction tx, Holder holder, JSON value) {
    var kept = KEEP_CHECKPOINT.call(holder.id(), holder.worker().value(), holder.token(), value);
    if (tx.dsl().select(kept.ID).from(kept).fetch().isEmpty()) {
      throw holder.lost();
    }
  }
}
