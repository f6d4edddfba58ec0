package io.leasehold.engine.kernel;

import java.util.UUID;

/**
 * The id of a worker, valid as long as its process lives. It is random and never shown to a tenant:
 * together with the token of a lease, it is the right to end a job.
 *
 * @param value a random UUID
 */
public record WorkerId(UUID value) {

  /** Returns a new id. A restarted process is another worker. */
  public static WorkerId random() {
    return new WorkerId(UUID.randomUUID());
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
