package io.leasehold.jobs;

import java.time.Instant;
import java.util.Optional;

/**
 * Which jobs to list, the newest first. Immutable; each method returns a changed copy.
 *
 * @param handler only jobs of this handler
 * @param queue only jobs of this queue
 * @param status only jobs that are there in their life
 * @param correlationId only jobs that were submitted with it
 * @param createdAfter only jobs made at this instant or later
 * @param createdBefore only jobs made before this instant
 * @param after goes on behind the last job of the page before
 * @param limit at most so many, 1 to 200; default 50
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

  /** The newest 50 jobs that the caller may read. */
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

  /** Only jobs of this handler. */
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

  /** Only jobs of this queue. */
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

  /** Only jobs that are there in their life. */
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

  /** Only jobs that were submitted with it. */
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

  /** Only jobs made at this instant or later. */
  public JobFilter createdAfter(Instant instant) {
    return new JobFilter(
        handler, queue, status, correlationId, Optional.of(instant), createdBefore, after, limit);
  }

  /** Only jobs made before this instant. */
  public JobFilter createdBefore(Instant instant) {
    return new JobFilter(
        handler, queue, status, correlationId, createdAfter, Optional.of(instant), after, limit);
  }

  /** Goes on behind the last job of the page before. */
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

  /** At most so many, 1 to 200. */
  public JobFilter limit(int limit) {
    return new JobFilter(
        handler, queue, status, correlationId, createdAfter, createdBefore, after, limit);
  }
}
