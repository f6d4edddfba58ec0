package io.leasehold.engine.work.mirrors;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.val;

import io.leasehold.jobs.JobId;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.impl.SQLDataType;

/**
 * Updates the mirror records of jobs that returned to the queue, in the transaction that put the
 * jobs there. Sends nothing if no job has a mirror.
 */
public final class MirrorQueued {

  private MirrorQueued() {}

  /**
   * Updates the records, and returns the ids of all the jobs. The field {@code mirror} is null for
   * a job without a mirror.
   */
  public static List<JobId> write(
      DSLContext tx, Result<? extends Record> jobs, Field<JobId> id, Field<Short> mirror) {
    var mirrored =
        jobs.stream()
            .filter(job -> job.get(mirror) != null)
            .map(job -> job.get(id).value())
            .toArray(UUID[]::new);
    if (mirrored.length > 0) {
      tx.select(
              function(name("leasehold", "mirror_as_they_are"), SQLDataType.BOOLEAN, val(mirrored)))
          .fetch();
    }
    return jobs.map(job -> job.get(id));
  }
}
