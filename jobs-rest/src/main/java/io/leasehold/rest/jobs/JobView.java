package io.leasehold.rest.jobs;

import io.leasehold.jobs.Job;
import java.time.Instant;
import java.util.Optional;

/** A job for people and programs: with the same terms as everywhere, and never with its input. */
record JobView(
    String jobId,
    String tenantId,
    String handlerId,
    String status,
    String queue,
    int priority,
    int attempts,
    int maxAttempts,
    Optional<String> correlationId,
    Optional<Job.Progress> progress,
    Instant createdAt,
    Optional<Instant> availableAt,
    Optional<Instant> startedAt,
    Optional<Instant> finishedAt,
    Instant updatedAt,
    Optional<String> lastError) {

  static JobView of(Job job) {
    return new JobView(
        job.id().toString(),
        job.tenant().toString(),
        job.handler().value(),
        job.status().word(),
        job.queue(),
        job.priority(),
        job.attempts(),
        job.maxAttempts(),
        job.correlationId(),
        job.progress(),
        job.createdAt(),
        job.availableAt(),
        job.startedAt(),
        job.finishedAt(),
        job.updatedAt(),
        job.lastError());
  }
}
