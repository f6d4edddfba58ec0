package io.leasehold.engine.work.claim;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.when;

import io.leasehold.db.schema.Routines;
import io.leasehold.db.schema.tables.Job;
import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.jobs.SecurityContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jooq.Field;
import org.jooq.JSON;
import org.jooq.Record;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * The part of a job's row that a worker reads when it claims the job. No row can make the other
 * jobs of a claim fail: values that are too large are not loaded, reading a value never throws, and
 * a job that cannot be run carries a text that explains why.
 */
final class StoredJob {

  private static final String PROBLEM = "stored_problem";
  private static final String TIME_LIMIT = "stored_time_limit";
  private static final Duration TIME_LIMIT_MAX = Duration.ofDays(30);
  private static final double MILLIS = 1e3;

  // Each value is read through the same field object that was selected. Otherwise jOOQ would search
  // for an equal field, for every value of every job.
  private final Job job;
  private final Field<String> problem;
  private final Field<String> handlerId;
  private final Field<JSON> input;
  private final Field<JSON> metadata;
  private final Field<String> principal;
  private final Field<String> correlationId;
  private final Field<Double> timeLimit;

  /**
   * Selects the columns of a job.
   *
   * @param job the table that has the columns
   * @param problem the expression from {@link #problem}, or a column that holds its value
   */
  StoredJob(Job job, Field<String> problem) {
    this.job = job;
    this.problem = problem.as(PROBLEM);
    this.handlerId = loaded(job.HANDLER_ID, problem);
    this.input = loaded(job.INPUT, problem);
    this.metadata = loaded(job.METADATA, problem);
    this.principal = loaded(job.PRINCIPAL, problem);
    this.correlationId = loaded(job.CORRELATION_ID, problem);
    this.timeLimit = seconds(job).as(TIME_LIMIT);
  }

  /** Returns an expression for the reason why a job is not loaded; null if it is loaded. */
  static Field<String> problem(Job job) {
    return Routines.loadProblem(
        job.INPUT, job.METADATA, job.HANDLER_ID, job.PRINCIPAL, job.CORRELATION_ID);
  }

  private static <T> Field<T> loaded(Field<T> column, Field<String> problem) {
    return when(problem.isNull(), column).as(column);
  }

  // Read as a number, which can represent any interval.
  private static Field<Double> seconds(Job job) {
    return function(name("date_part"), SQLDataType.DOUBLE, inline("epoch"), job.TIME_LIMIT);
  }

  /** Returns the columns that {@link #read} needs. */
  List<Field<?>> columns() {
    return List.of(
        job.TENANT_ID,
        job.ID,
        job.MAX_ATTEMPTS,
        job.PRIORITY,
        handlerId,
        input,
        metadata,
        principal,
        correlationId,
        timeLimit,
        problem);
  }

  /** Reads the job of a row, with its lease. */
  ClaimedJob read(Record row, long token, int attempt) {
    var limit = Optional.ofNullable(row.get(timeLimit));
    var time = limit.filter(StoredJob::isTimeLimit).map(StoredJob::timeLimit);
    return new ClaimedJob(
        row.get(job.TENANT_ID),
        row.get(job.ID),
        token,
        attempt,
        row.get(job.MAX_ATTEMPTS),
        orElse(row.get(handlerId), ""),
        row.get(job.PRIORITY),
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
