package io.leasehold.jobs;

import java.io.Serial;
import java.time.Duration;

/**
 * Thrown by a handler that cannot work yet. The job is queued again for later, and the attempt does
 * not count. There is no limit on the number of repetitions.
 */
public final class RetryLater extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final Duration delay;

  /**
   * Asks for another run after a delay.
   *
   * @param delay 0 to ten years, measured by the database
   * @throws IllegalArgumentException if the delay is out of bounds
   */
  public RetryLater(Duration delay) {
    super("asked to be run again in " + delay, null, false, false);
    Bounds.requireDelay(delay);
    this.delay = delay;
  }

  /** Returns how long to wait. */
  public Duration delay() {
    return delay;
  }
}
