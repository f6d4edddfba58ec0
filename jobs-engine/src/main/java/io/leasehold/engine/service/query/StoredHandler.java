package io.leasehold.engine.service.query;

import io.leasehold.jobs.HandlerId;

/** The handler of a row, whatever is stored there. */
public final class StoredHandler {

  /**
   * Stands for a handler whose id is none, as the SQL of a tenant could store it before submissions
   * were bounded: such a job is listed, cancelled and deleted like others.
   */
  private static final HandlerId UNREADABLE =
      new HandlerId("gts.x.core.jobs.handler.v1~leasehold.jobs.handlers.unreadable.v1");

  private StoredHandler() {}

  /** The handler of a stored id, or what stands for one that cannot be read. */
  public static HandlerId of(String stored) {
    try {
      return new HandlerId(stored);
    } catch (IllegalArgumentException _) {
      return UNREADABLE;
    }
  }
}
