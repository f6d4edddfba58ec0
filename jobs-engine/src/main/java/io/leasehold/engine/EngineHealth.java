package io.leasehold.engine;

import java.time.Duration;
import java.util.Optional;

/**
 * How an engine does, as far as its own process knows.
 *
 * @param database whether it answers
 * @param listener whether others can be heard
 * @param worker whether it works
 */
public record EngineHealth(Database database, Listener listener, Worker worker) {

  /** How well something does. */
  public enum Status {
    /** As it should. */
    UP,
    /** It works, slower or with less than it should have. */
    DEGRADED,
    /** It does not work. */
    DOWN
  }

  /** As the part that does worst. */
  public Status status() {
    return worse(database.status(), worse(listener.status(), worker.status()));
  }

  private static Status worse(Status one, Status other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /**
   * The database.
   *
   * @param status down if it was last not to be reached, or is silent for long; degraded, besides,
   *     while it answers and refuses what the engine asks for, and for 15 minutes after its clock
   *     went back
   * @param answered how long ago it last did what the engine asked for
   * @param clockWentBackBy by how much its clock went back in the last 15 minutes, if it did
   */
  public record Database(
      Status status, Optional<Duration> answered, Optional<Duration> clockWentBackBy) {}

  /**
   * The connection over which other processes' hints are heard. Without it jobs begin a little
   * later, and that is all: it is never down.
   *
   * @param status degraded if it is silent for long
   * @param on whether there is to be one
   * @param silent how long ago it last gave a sign of life
   */
  public record Listener(Status status, boolean on, Optional<Duration> silent) {}

  /**
   * What claims and runs jobs in this process, if it is to have that.
   *
   * @param status down if it does not claim
   * @param phase how it does
   * @param claimed how long ago it last looked for jobs; long, if all slots are taken
   * @param renewed how long ago it last renewed its leases
   * @param stuck how many slots are taken by handlers that go on though they were interrupted
   */
  public record Worker(
      Status status,
      Phase phase,
      Optional<Duration> claimed,
      Optional<Duration> renewed,
      int stuck) {}

  /** How a worker does. */
  public enum Phase {
    /** It was not started yet. */
    NEW(Status.DOWN),
    /** This process is to have none. */
    ABSENT(Status.UP),
    /** It claims and runs jobs. */
    WORKING(Status.UP),
    /** It claims no more: it could not renew its leases. */
    DOUBTFUL(Status.DEGRADED),
    /** A part of it has ended by itself: only a new process helps. */
    BROKEN(Status.DOWN),
    /** It was stopped. */
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
