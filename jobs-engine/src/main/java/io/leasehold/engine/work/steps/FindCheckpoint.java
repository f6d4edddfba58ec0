package io.leasehold.engine.work.steps;

import static io.leasehold.db.schema.Tables.FIND_CHECKPOINT;

import io.leasehold.db.ScopedTransaction;
import java.util.Optional;
import org.jooq.JSON;

/** Reads a job's checkpoint, in the caller's own transaction if there is one. */
final class FindCheckpoint {

  private FindCheckpoint() {}

  static Optional<JSON> find(ScopedTransaction tx, Holder holder) {
    var found = FIND_CHECKPOINT.call(holder.id(), holder.worker().value(), holder.token());
    var row =
        tx.dsl()
            .select(found.ID, found.VALUE)
            .from(found)
            .fetchOptional()
            .orElseThrow(holder::lost);
    return Optional.ofNullable(row.value2());
  }
}
