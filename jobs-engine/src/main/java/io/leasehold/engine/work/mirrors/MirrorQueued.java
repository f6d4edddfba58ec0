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
 * Writes the records of jobs that went back to the queue, in the transaction that put them there.
 * Sends nothing if none of them has a mirror.
 */
public final class MirrorQueued {

  private MirrorQueued() {}

  /** Answers the ids of the jobs, whose rows have a field that says whether there is a mirror. */
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
