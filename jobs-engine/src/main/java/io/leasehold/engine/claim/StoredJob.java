package io.leasehold.engine.claim;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.when;

import io.leasehold.db.schema.Routines;
import io.leasehold.db.schema.tables.Job;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jooq.Field;
import org.jooq.JSON;
import org.jooq.Record;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * What a worker reads of the row of a job that it takes. No row stops the others of its claim: what
 * is too large is not loaded, no value can fail to be read, and a job that cannot be run has words
 * that say why.
 */
final class StoredJob {

  private static final String PROBLEM = "stored_problem";
  private static final String TIME_LIMIT = "stored_time_limit";
  private static final Duration TIME_LIMIT_MAX = Duration.ofDays(30);
  private static final double MILLIS = 1e3;
  private static final int CORRELATION_ID_MAX = 255;

  private StoredJob() {}

  /** Why a job is not loaded; null if it is. */
  static Field<String> problem(Job job) {
    return Routines.loadProblem(
        job.INPUT, job.METADATA, job.HANDLER_ID, job.PRINCIPAL, job.CORRELATION_ID);
  }

  /** The columns that {@link #job} needs. */
  static List<Field<?>> columns(Job job, Field<String> problem) {
    return List.of(
        job.TENANT_ID,
        job.ID,
        job.MAX_ATTEMPTS,
        job.PRIORITY,
        loaded(job.HANDLER_ID, problem),
        loaded(job.INPUT, problem),
        loaded(job.METADATA, problem),
        loaded(job.PRINCIPAL, problem),
        loaded(job.CORRELATION_ID, problem),
        seconds(job).as(TIME_LIMIT),
        problem.as(PROBLEM));
  }

  private static <T> Field<T> loaded(Field<T> column, Field<String> problem) {
    return when(problem.isNull(), column).as(column);
  }

  // A number, whatever the interval is.
  private static Field<Double> seconds(Job job) {
    return function(name("date_part"), SQLDataType.DOUBLE, inline("epoch"), job.TIME_LIMIT);
  }

  /** The job of a row, under a lease. */
  static ClaimedJob job(Record row, Job columns, long token, int attempt) {
    var problem = Optional.ofNullable(row.get(PROBLEM, String.class));
    var limit = Optional.ofNullable(row.get(TIME_LIMIT, Double.class));
    var job =
        new ClaimedJob(
            row.get(columns.TENANT_ID),
            row.get(columns.ID),
            token,
            attempt,
            row.get(columns.MAX_ATTEMPTS),
            orElse(row.get(columns.HANDLER_ID), ""),
            row.get(columns.PRIORITY),
            orElse(row.get(columns.INPUT), JSON.json("null")),
            row.get(columns.METADATA),
            limit.filter(StoredJob::isTimeLimit).map(StoredJob::timeLimit),
            Optional.empty(),
            orElse(row.get(columns.PRINCIPAL), ""),
            Optional.ofNullable(row.get(columns.CORRELATION_ID)).map(StoredJob::readable),
            problem);
    return problem.isPresent() ? job : checked(job, limit);
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

  // It identifies nothing that a job needs: what was stored before it was bounded does not fail.
  private static String readable(String correlationId) {
    var readable = new StringBuilder();
    correlationId
        .codePoints()
        .limit(CORRELATION_ID_MAX)
        .map(c -> Character.isISOControl(c) ? '?' : c)
        .forEach(readable::appendCodePoint);
    return readable.toString();
  }

  private static ClaimedJob checked(ClaimedJob job, Optional<Double> limit) {
    if (limit.isPresent() && job.timeLimit().isEmpty()) {
      return job.unreadable(
          "the time limit must be 1 ms to %d days, not %s s"
              .formatted(TIME_LIMIT_MAX.toDays(), limit.get()));
    }
    try {
      job.caller();
      return job;
    } catch (IllegalArgumentException e) {
      return job.unreadable(String.valueOf(e.getMessage()));
    }
  }
}
