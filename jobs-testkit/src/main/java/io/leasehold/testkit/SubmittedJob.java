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
 * @param metadata the metadata that are texts, by name
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

  /** Keeps a copy of the metadata. */
  public SubmittedJob {
    metadata = Map.copyOf(metadata);
    metadataJson = Map.copyOf(metadataJson);
  }

  /**
   * One value of the metadata; nothing if there is none.
   *
   * @throws io.leasehold.jobs.JobsException with {@link
   *     io.leasehold.jobs.ErrorCode#RESULT_UNREADABLE} if it is no such type
   */
  public <T> Optional<T> metadata(String name, Class<T> type) {
    return KeptMetadata.value(metadataJson, name, type);
  }
}
