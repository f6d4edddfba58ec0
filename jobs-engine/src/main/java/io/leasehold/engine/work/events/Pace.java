package io.leasehold.engine.work.events;

import java.time.Duration;

/**
 * How much one job may tell.
 *
 * @param pause how long there is between two writes of it
 * @param eventsMost how many events it has at most
 */
public record Pace(Duration pause, int eventsMost) {

  /** So many writes a second. */
  public static Pace of(int writesPerSecond, int eventsMost) {
    return new Pace(Duration.ofSeconds(1).dividedBy(writesPerSecond), eventsMost);
  }
}
