package io.leasehold.engine.work.lease;

/** How many attempts a job may lose because its workers were lost. */
public final class LostWorker {

  /**
   * How many attempts beyond its maximum a job may lose before it fails, whatever its handler
   * declares.
   */
  public static final short BEYOND_MAX = 9;

  private LostWorker() {}
}
