package io.leasehold.jobs;

import java.io.Serial;
import java.time.Duration;

/**
 * Thrown by a handler that cannot work yet: the job is queued again for later, and the attempt does
 * not count. There is no limit to how often.
 */
public final class RetryLater extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final Duration delay;

  /**
   * Asks to be run again after a while.
   *
   * @param delay at least 0 and at most ten years, counted by the database
   * @throws IllegalArgumentException if it is not
   */
  public RetryLater(Duration delay) {
    super("asked to be run again in " + delay, null, false, false);
    Bounds.requireDelay(delay);
    this.delay = delay;
  }

  /** How long to wait. */
  public Duration delay() {
    return delay;
  }
}
