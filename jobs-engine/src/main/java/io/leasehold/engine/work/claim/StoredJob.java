package io.leasehold.engine.work.claim;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.when;

import io.leasehold.db.schema.Routines;
import io.leasehold.db.schema.tables.Job;
import io.leasehold.engine.kernel.ClaimedJob;
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

  // A value is read by the same field object that was selected. jOOQ would search for one that is
  // equal, for each value of each job.
  private final Job job;
  private final Field<String> problem;
  private final Field<String> handlerId;
  private final Field<JSON> input;
  private final Field<JSON> metadata;
  private final Field<String> principal;
  private final Field<String> correlationId;
  private final Field<Double> timeLimit;

  /**
   * A job's columns.
   *
   * @param job the table that has them
   * @param problem what {@link #problem} answers
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

  /** Why a job is not loaded; null if it is. */
  static Field<String> problem(Job job) {
    return Routines.loadProblem(
        job.INPUT, job.METADATA, job.HANDLER_ID, job.PRINCIPAL, job.CORRELATION_ID);
  }

  private static <T> Field<T> loaded(Field<T> column, Field<String> problem) {
    return when(problem.isNull(), column).as(column);
  }

  // A number, whatever the interval is.
  private static Field<Double> seconds(Job job) {
    return function(name("date_part"), SQLDataType.DOUBLE, inline("epoch"), job.TIME_LIMIT);
  }

  /** What {@link #read} needs. */
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

  /** The job of a row, under a lease. */
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
        Optional.ofNullable(row.get(correlationId)).map(StoredJob::readable),
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

  // It identifies nothing that a job needs: what was stored before it was bounded does not fail.
  private static String readable(String correlationId) {
    if (correlationId.length() <= CORRELATION_ID_MAX
        && correlationId.chars().noneMatch(Character::isISOControl)) {
      return correlationId;
    }
    var readable = new StringBuilder();
    correlationId
        .codePoints()
        .limit(CORRELATION_ID_MAX)
        .map(c -> Character.isISOControl(c) ? '?' : c)
        .forEach(readable::appendCodePoint);
    return readable.toString();
  }

  private static String noTimeLimit(double seconds) {
    return "the time limit must be 1 ms to %d days, not %s s"
        .formatted(TIME_LIMIT_MAX.toDays(), seconds);
  }
}
