package io.leasehold.engine.service.query;

import io.leasehold.jobs.HandlerId;

/** Reads the handler of a row, whatever text the row contains. */
public final class StoredHandler {

  /**
   * Stands for a stored handler id that is invalid. A tenant's SQL could store such a row before
   * submissions were bounded: the job is listed, cancelled and deleted like any other.
   */
  private static final HandlerId UNREADABLE =
      new HandlerId("gts.x.core.jobs.handler.v1~leasehold.jobs.handlers.unreadable.v1");

  private StoredHandler() {}

  /** Returns the handler with the stored id, or a placeholder for an id that cannot be read. */
  public static HandlerId of(String stored) {
    try {
      return new HandlerId(stored);
    } catch (IllegalArgumentException _) {
      return UNREADABLE;
    }
  }
}
