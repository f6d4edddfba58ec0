package io.leasehold.engine.service.query;

import static io.leasehold.db.schema.Tables.JOB_STATUS_V;

import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobStatus;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Converts a row of the status view to a {@link Job}. */
public final class StatusView {

  private StatusView() {}

  public static Job job(Record row) {
    return new Job(
        row.get(JOB_STATUS_V.TENANT_ID),
        row.get(JOB_STATUS_V.JOB_ID),
        StoredHandler.of(row.get(JOB_STATUS_V.HANDLER_ID)),
        JobStatus.of(row.get(JOB_STATUS_V.STATUS)),
        Optional.ofNullable(row.get(JOB_STATUS_V.CORRELATION_ID)),
        row.get(JOB_STATUS_V.QUEUE),
        row.get(JOB_STATUS_V.PRIORITY),
        attempts(row),
        row.get(JOB_STATUS_V.MAX_ATTEMPTS),
        progress(row),
        row.get(JOB_STATUS_V.CREATED_AT).toInstant(),
        instant(row.get(JOB_STATUS_V.AVAILABLE_AT)),
        instant(row.get(JOB_STATUS_V.STARTED_AT)),
        instant(row.get(JOB_STATUS_V.FINISHED_AT)),
        row.get(JOB_STATUS_V.UPDATED_AT).toInstant(),
        Optional.ofNullable(row.get(JOB_STATUS_V.LAST_ERROR)));
  }

  // The column is null for a job without a state, which a tenant's SQL could store before
  // submissions were bounded.
  private static int attempts(Record row) {
    var attempts = row.get(JOB_STATUS_V.ATTEMPTS);
    return attempts == null ? 0 : attempts;
  }

  private static Optional<Job.Progress> progress(Record row) {
    return Optional.ofNullable(row.get(JOB_STATUS_V.PROGRESS))
        .map(
            percent ->
                new Job.Progress(
                    percent, Optional.ofNullable(row.get(JOB_STATUS_V.PROGRESS_NOTE))));
  }

  private static Optional<Instant> instant(@Nullable OffsetDateTime time) {
    return Optional.ofNullable(time).map(OffsetDateTime::toInstant);
  }
}
