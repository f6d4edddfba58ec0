package io.leasehold.jobs;

import java.time.Instant;
import java.util.Optional;

/**
 * The visible state of a job. The input is never part of it.
 *
 * @param tenant the tenant of the job
 * @param id the id of the job
 * @param handler the handler of the job
 * @param status the status of the job
 * @param correlationId the correlation id of the submission, if it had one
 * @param queue the queue in which the job waits
 * @param priority the priority among the tenant's jobs; higher runs first
 * @param attempts the number of attempts started since the last manual retry
 * @param maxAttempts the maximum number of attempts
 * @param progress the progress that the handler last reported
 * @param createdAt when the job was submitted
 * @param availableAt when a queued job may run; only set while the job is queued
 * @param startedAt when the first attempt started
 * @param finishedAt when the job finished
 * @param updatedAt when any of these values last changed
 * @param lastError the error of the attempt that ended last, if it did not succeed
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
   * The progress reported by a handler.
   *
   * @param percent 0 to 100
   * @param note a note in the handler's own words
   */
  public record Progress(int percent, Optional<String> note) {}
}
