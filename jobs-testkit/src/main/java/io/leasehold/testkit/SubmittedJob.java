package io.leasehold.testkit;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A submitted job.
 *
 * @param id the id of the job
 * @param tenant the tenant that owns the job
 * @param input the input of its handler
 * @param key the key of the request, if any
 * @param priority the priority among the tenant's jobs
 * @param dueIn how long it still waits until it is due
 * @param metadata the text values of the metadata, by name
 * @param metadataJson all metadata, by name, each as JSON
 * @param <I> the input
 */
public record SubmittedJob<I>(
    JobId id,
    TenantId tenant,
    I input,
    Optional<String> key,
    int priority,
    Duration dueIn,
    Map<String, String> metadata,
    Map<String, String> metadataJson) {

  /** Copies the metadata. */
  public SubmittedJob {
    metadata = Map.copyOf(metadata);
    metadataJson = Map.copyOf(metadataJson);
  }

  /**
   * Returns one value of the metadata; empty if there is none.
   *
   * @throws io.leasehold.jobs.JobsException with {@link
   *     io.leasehold.jobs.ErrorCode#RESULT_UNREADABLE} if the value is not of this type
   */
  public <T> Optional<T> metadata(String name, Class<T> type) {
    return KeptMetadata.value(metadataJson, name, type);
  }
}
