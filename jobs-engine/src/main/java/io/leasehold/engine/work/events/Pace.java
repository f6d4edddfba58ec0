package io.leasehold.engine.work.events;

import java.time.Duration;

/**
 * Limits for what one job may report.
 *
 * @param pause the pause between two writes
 * @param eventsMost the maximum number of events
 */
public record Pace(Duration pause, int eventsMost) {

  /** Allows up to {@code writesPerSecond} writes a second. */
  public static Pace of(int writesPerSecond, int eventsMost) {
    return new Pace(Duration.ofSeconds(1).dividedBy(writesPerSecond), eventsMost);
  }
}
