package io.leasehold.engine.work.steps;

import static io.leasehold.db.schema.Tables.FIND_STEP;

import io.leasehold.db.ScopedTransaction;
import java.util.Optional;
import org.jooq.JSON;

/** Reads the result of a step, in the caller's own transaction if there is one. */
final class FindStep {

  private FindStep() {}

  static Optional<JSON> find(ScopedTransaction tx, Holder holder, String name) {
    var found = FIND_STEP.call(holder.id(), holder.worker().value(), holder.token(), name);
    return tx.dsl().select(found.VALUE).from(found).fetchOptional(found.VALUE);
  }
}
