package io.leasehold.engine.service.query;

import static io.leasehold.db.schema.Tables.JOB_STATUS_V;
import static io.leasehold.db.schema.Tables.OUTCOME;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobStatus;
import java.util.Optional;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;

/** Reads the result of a job. */
public final class ReadResult {

  private ReadResult() {}

  /** Reads an output from its stored form. */
  @FunctionalInterface
  public interface Reader<O> {
    /** Returns the output, or null if there is none. */
    @Nullable O read(JSON json);
  }

  /** Returns the result of the job, if the caller may read it. */
  public static <O> JobResult<O> read(ScopedTransaction tx, JobId id, Reader<O> reader) {
    return tx.dsl()
        .select(JOB_STATUS_V.STATUS, OUTCOME.RESULT, OUTCOME.ERROR)
        .from(JOB_STATUS_V)
        .leftJoin(OUTCOME)
        .on(OUTCOME.TENANT_ID.eq(JOB_STATUS_V.TENANT_ID), OUTCOME.ID.eq(JOB_STATUS_V.JOB_ID))
        .where(JOB_STATUS_V.JOB_ID.eq(id))
        .fetchOptional(
            row -> result(JobStatus.of(row.value1()), row.value2(), row.value3(), reader))
        .orElseGet(JobResult.NotFound::new);
  }

  private static <O> JobResult<O> result(
      JobStatus status, @Nullable JSON json, @Nullable String error, Reader<O> reader) {
    return switch (status) {
      case QUEUED, RUNNING -> new JobResult.NotOver<>(status);
      case SUCCEEDED -> new JobResult.Succeeded<>(json == null ? null : reader.read(json));
      case FAILED, TIMED_OUT, CANCELLED ->
          new JobResult.Ended<>(status, Optional.ofNullable(error));
    };
  }
}
