package io.leasehold.jobs;

import java.time.Instant;
import java.util.Optional;

/**
 * What can be known of a job: never its input.
 *
 * @param tenant whose it is
 * @param id its id
 * @param handler what handles it
 * @param status where it is in its life
 * @param correlationId of the submission, if that had one
 * @param queue where it waits
 * @param priority among the tenant's jobs, the greater first
 * @param attempts how often it was started, since the last retry by hand
 * @param maxAttempts how often it is attempted before it fails
 * @param progress what its handler last said of its progress
 * @param createdAt when it was submitted
 * @param availableAt while it is queued, from when it may run
 * @param startedAt when it first began to run
 * @param finishedAt when it ended
 * @param updatedAt when any of this last changed
 * @param lastError of the attempt that ended last, if it did not succeed
 */
public record Job(
    TenantId tenant,
    JobId id,
    HandlerId handler,
    JobStatus status,
    Optional<String> correlationId,
    String queue,
    int priority,
    int attempts,
    int maxAttempts,
    Optional<Progress> progress,
    Instant createdAt,
    Optional<Instant> availableAt,
    Optional<Instant> startedAt,
    Optional<Instant> finishedAt,
    Instant updatedAt,
    Optional<String> lastError) {

  /**
   * How far a handler says that it is.
   *
   * @param percent 0 to 100
   * @param note in its own words
   */
  public record Progress(int percent, Optional<String> note) {}
}
