package io.leasehold.jobs;

import java.time.Instant;
import java.util.Optional;

/**
 * Selects the jobs to list, newest first. Immutable; each method returns a modified copy.
 *
 * @param handler only jobs of this handler
 * @param queue only jobs of this queue
 * @param status only jobs in this status
 * @param correlationId only jobs that were submitted with this correlation id
 * @param createdAfter only jobs created at this instant or later
 * @param createdBefore only jobs created before this instant
 * @param after the id of the last job of the previous page, after which the list continues
 * @param limit the maximum page size, 1 to 200; default 50
 */
public record JobFilter(
    Optional<HandlerId> handler,
    Optional<String> queue,
    Optional<JobStatus> status,
    Optional<String> correlationId,
    Optional<Instant> createdAfter,
    Optional<Instant> createdBefore,
    Optional<JobId> after,
    int limit) {

  private static final int LIMIT_MAX = 200;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if the limit is not 1 to 200
   */
  public JobFilter {
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new IllegalArgumentException(
          "limit must be 1 to %d, not %d".formatted(LIMIT_MAX, limit));
    }
  }

  /** Selects the newest 50 jobs that the caller may read. */
  public static JobFilter newest() {
    return new JobFilter(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        50);
  }

  /** Selects only jobs of this handler. */
  public JobFilter handler(HandlerId handler) {
    return new JobFilter(
        Optional.of(handler),
        queue,
        status,
        correlationId,
        createdAfter,
        createdBefore,
        after,
        limit);
  }

  /** Selects only jobs of this queue. */
  public JobFilter queue(String queue) {
    return new JobFilter(
        handler,
        Optional.of(queue),
        status,
        correlationId,
        createdAfter,
        createdBefore,
        after,
        limit);
  }

  /** Selects only jobs in this status. */
  public JobFilter status(JobStatus status) {
    return new JobFilter(
        handler,
        queue,
        Optional.of(status),
        correlationId,
        createdAfter,
        createdBefore,
        after,
        limit);
  }

  /** Selects only jobs that were submitted with this correlation id. */
  public JobFilter correlationId(String correlationId) {
    return new JobFilter(
        handler,
        queue,
        status,
        Optional.of(correlationId),
        createdAfter,
        createdBefore,
        after,
        limit);
  }

  /** Selects only jobs created at this instant or later. */
  public JobFilter createdAfter(Instant instant) {
    return new JobFilter(
        handler, queue, status, correlationId, Optional.of(instant), createdBefore, after, limit);
  }

  /** Selects only jobs created before this instant. */
  public JobFilter createdBefore(Instant instant) {
    return new JobFilter(
        handler, queue, status, correlationId, createdAfter, Optional.of(instant), after, limit);
  }

  /** Continues after the last job of the previous page. */
  public JobFilter after(JobId last) {
    return new JobFilter(
        handler,
        queue,
        status,
        correlationId,
        createdAfter,
        createdBefore,
        Optional.of(last),
        limit);
  }

  /** Sets the maximum page size, 1 to 200. */
  public JobFilter limit(int limit) {
    return new JobFilter(
        handler, queue, status, correlationId, createdAfter, createdBefore, after, limit);
  }
}
