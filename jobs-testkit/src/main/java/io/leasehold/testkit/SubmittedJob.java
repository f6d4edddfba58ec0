package io.leasehold.testkit;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A job as it was asked for.
 *
 * @param id its id
 * @param tenant whose it is
 * @param input what its handler is given
 * @param key that names it, if it has one
 * @param priority among the tenant's jobs
 * @param dueIn how long it still waits for its time
 * @param metadata what the request gave along
 * @param <I> the input
 */
public record SubmittedJob<I>(
    JobId id,
    TenantId tenant,
    I input,
    Optional<String> key,
    int priority,
    Duration dueIn,
    Map<String, String> metadata) {

  /** Keeps a copy of the metadata. */
  public SubmittedJob {
    metadata = Map.copyOf(metadata);
  }
}
