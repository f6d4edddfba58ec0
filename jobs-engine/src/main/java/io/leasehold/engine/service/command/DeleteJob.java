package io.leasehold.engine.service.command;

import static io.leasehold.db.schema.Tables.DELETE;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.JobId;

/** Deletes a job and everything that belongs to it, in the caller's transaction. */
public final class DeleteJob {

  private DeleteJob() {}

  public static Deletion delete(ScopedTransaction tx, JobId id) {
    var deleted = DELETE.call(id);
    return tx.dsl()
        .select(deleted.ANSWER)
        .from(deleted)
        .fetchOptional(
            row ->
                row.value1().equals("deleted")
                    ? (Deletion) new Deletion.Deleted()
                    : new Deletion.Running())
        .orElseGet(Deletion.NotFound::new);
  }

  /**
   * Deletes a job even if it is running: such a job is cancelled, and deleted once it has ended.
   */
  public static Deletion forceDelete(ScopedTransaction tx, JobId id) {
    while (true) {
      var deletion = delete(tx, id);
      if (!(deletion instanceof Deletion.Running)) {
        return deletion;
      }
      if (CancelJob.cancel(tx, id, true) instanceof Cancellation.Requested) {
        return new Deletion.Requested();
      }
      // The job ended in the meantime, and can be deleted like any other.
    }
  }
}
