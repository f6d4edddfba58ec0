package io.leasehold.engine.submit;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.schema.Routines;
import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.JobId;
import org.jspecify.annotations.Nullable;

/** Removes a job with all that belongs to it, in the caller's transaction. */
final class DeleteJob {

  private DeleteJob() {}

  static Deletion delete(ScopedTransaction tx, JobId id) {
    @Nullable String answer = tx.dsl().select(Routines.delete(id)).fetchSingle().value1();
    return switch (answer) {
      case null -> new Deletion.NotFound();
      case "deleted" -> new Deletion.Deleted();
      default -> new Deletion.Running();
    };
  }

  /** Also one that runs: it is cancelled, and removed when it has ended. */
  static Deletion forceDelete(ScopedTransaction tx, JobId id) {
    while (true) {
      var deletion = delete(tx, id);
      if (!(deletion instanceof Deletion.Running)) {
        return deletion;
      }
      if (CancelJob.cancel(tx, id, true) instanceof Cancellation.Requested) {
        return new Deletion.Requested();
      }
      // It ended in between, and can be removed like any other.
    }
  }
}
