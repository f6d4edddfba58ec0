package io.leasehold.engine.kernel;

import java.util.UUID;

/**
 * Names a worker for as long as its process lives. Random, and never shown to a tenant: with the
 * token of a lease it is the right to end a job.
 *
 * @param value a random UUID
 */
public record WorkerId(UUID value) {

  /** A new one: a process that starts again is another worker. */
  public static WorkerId random() {
    return new WorkerId(UUID.randomUUID());
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
