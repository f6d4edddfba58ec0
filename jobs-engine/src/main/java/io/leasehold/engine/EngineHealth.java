package io.leasehold.engine;

import java.time.Duration;
import java.util.Optional;

/**
 * The health of an engine, as known to its own process.
 *
 * @param database the health of the database
 * @param listener the health of the listener for notifications
 * @param worker the health of the worker
 */
public record EngineHealth(Database database, Listener listener, Worker worker) {

  /** The health of a part of the engine. */
  public enum Status {
    /** The part works normally. */
    UP,
    /** The part works, but more slowly or with reduced capability. */
    DEGRADED,
    /** The part does not work. */
    DOWN
  }

  /** Returns the status of the least healthy part. */
  public Status status() {
    return worse(database.status(), worse(listener.status(), worker.status()));
  }

  private static Status worse(Status one, Status other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /**
   * The health of the database.
   *
   * @param status down if it was unreachable at the last attempt, or has not responded for a long
   *     time; degraded if it responds but refuses the engine's queries, and for 15 minutes after
   *     its clock went back
   * @param answered the time since the database last performed a request of the engine
   * @param clockWentBackBy by how much the database's clock went back in the last 15 minutes, if it
   *     did
   */
  public record Database(
      Status status, Optional<Duration> answered, Optional<Duration> clockWentBackBy) {}

  /**
   * The health of the connection that receives notifications from other processes. Without it jobs
   * only start a little later, so the status is never down.
   *
   * @param status degraded if the connection has been silent for a long time
   * @param on whether notifications are enabled
   * @param silent the time since the last sign of life of the connection
   */
  public record Listener(Status status, boolean on, Optional<Duration> silent) {}

  /**
   * The health of the worker, which claims and runs jobs in this process. A process may have no
   * worker.
   *
   * @param status down if the worker does not claim jobs
   * @param phase the phase of the worker
   * @param claimed the time since the worker last tried to claim jobs; long if all slots are taken
   * @param renewed the time since the worker last renewed its leases
   * @param stuck the number of slots taken by handlers that keep running after an interrupt
   */
  public record Worker(
      Status status,
      Phase phase,
      Optional<Duration> claimed,
      Optional<Duration> renewed,
      int stuck) {}

  /** The phase of a worker. */
  public enum Phase {
    /** The worker has not started yet. */
    NEW(Status.DOWN),
    /** This process is configured to have no worker. */
    ABSENT(Status.UP),
    /** The worker claims and runs jobs. */
    WORKING(Status.UP),
    /** The worker has stopped claiming because it could not renew its leases. */
    DOUBTFUL(Status.DEGRADED),
    /** A part of the worker has terminated unexpectedly; only a restart of the process helps. */
    BROKEN(Status.DOWN),
    /** The worker was stopped. */
    STOPPED(Status.DOWN);

    private final Status status;

    Phase(Status status) {
      this.status = status;
    }

    Status status() {
      return status;
    }
  }
}
