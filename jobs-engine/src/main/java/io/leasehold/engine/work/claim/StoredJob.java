package io.leasehold.engine.work.claim;

import static io.leasehold.db.schema.Tables.CLAIM_JOBS;
import static java.util.Objects.requireNonNull;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import java.time.Duration;
import java.util.Optional;
import org.jooq.Field;
import org.jooq.JSON;
import org.jooq.Record;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/**
 * The part of a job's row that a worker reads when it claims the job. No row can make the other
 * jobs of a claim fail: values that are too large are not loaded, reading a value never throws, and
 * a job that cannot be run carries a text that explains why.
 */
final class StoredJob {

  private static final Duration TIME_LIMIT_MAX = Duration.ofDays(30);
  private static final double MILLIS = 1e3;

  // Each value is read through the same field object that was selected. Otherwise jOOQ would search
  // for an equal field, for every value of every job.
  private final Field<TenantId> tenant;
  private final Field<JobId> id;
  private final Field<Long> token;
  private final Field<Short> attempt;
  private final Field<Short> maxAttempts;
  private final Field<Short> priority;
  private final Field<String> handlerId;
  private final Field<JSON> input;
  private final Field<JSON> metadata;
  private final Field<String> principal;
  private final Field<String> correlationId;
  private final Field<Double> timeLimit;
  private final Field<String> problem;

  /** Reads the rows of a function that has a column for each part of a job. */
  StoredJob(Table<?> jobs) {
    this.tenant = column(jobs, CLAIM_JOBS.TENANT_ID);
    this.id = column(jobs, CLAIM_JOBS.ID);
    this.token = column(jobs, CLAIM_JOBS.TOKEN);
    this.attempt = column(jobs, CLAIM_JOBS.ATTEMPT);
    this.maxAttempts = column(jobs, CLAIM_JOBS.MAX_ATTEMPTS);
    this.priority = column(jobs, CLAIM_JOBS.PRIORITY);
    this.handlerId = column(jobs, CLAIM_JOBS.HANDLER_ID);
    this.input = column(jobs, CLAIM_JOBS.INPUT);
    this.metadata = column(jobs, CLAIM_JOBS.METADATA);
    this.principal = column(jobs, CLAIM_JOBS.PRINCIPAL);
    this.correlationId = column(jobs, CLAIM_JOBS.CORRELATION_ID);
    this.timeLimit = column(jobs, CLAIM_JOBS.TIME_LIMIT);
    this.problem = column(jobs, CLAIM_JOBS.PROBLEM);
  }

  private static <T> Field<T> column(Table<?> jobs, Field<T> like) {
    return requireNonNull(jobs.field(like));
  }

  /** Reads the job of a row, with its lease. */
  ClaimedJob read(Record row) {
    var limit = Optional.ofNullable(row.get(timeLimit));
    var time = limit.filter(StoredJob::isTimeLimit).map(StoredJob::timeLimit);
    return new ClaimedJob(
        row.get(tenant),
        row.get(id),
        row.get(token),
        row.get(attempt),
        row.get(maxAttempts),
        orElse(row.get(handlerId), ""),
        row.get(priority),
        orElse(row.get(input), JSON.json("null")),
        row.get(metadata),
        time,
        Optional.empty(),
        orElse(row.get(principal), ""),
        // A value stored before the limit existed must not fail the job.
        Optional.ofNullable(row.get(correlationId)).map(SecurityContext::correlationIdOf),
        Optional.ofNullable(row.get(problem))
            .or(() -> limit.filter(_ -> time.isEmpty()).map(StoredJob::noTimeLimit)));
  }

  private static <T> T orElse(@Nullable T value, T otherwise) {
    return value == null ? otherwise : value;
  }

  private static boolean isTimeLimit(double seconds) {
    return seconds * MILLIS >= 1 && seconds <= TIME_LIMIT_MAX.toSeconds();
  }

  private static Duration timeLimit(double seconds) {
    return Duration.ofMillis(Math.round(seconds * MILLIS));
  }

  private static String noTimeLimit(double seconds) {
    return "the time limit must be 1 ms to %d days, not %s s"
        .formatted(TIME_LIMIT_MAX.toDays(), seconds);
  }
}
