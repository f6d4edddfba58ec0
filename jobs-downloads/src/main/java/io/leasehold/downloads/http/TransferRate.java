package io.leasehold.downloads.http;

import java.time.Duration;

/**
 * How fast a server has to be.
 *
 * @param connectTimeout within which each address of a name takes a connection
 * @param headTimeout within which the head of an answer is there, counted from before the
 *     connection is made
 * @param readTimeout within which something more comes
 * @param leastRate bytes a second that come after the head, on average over {@code readTimeout}
 */
public record TransferRate(
    Duration connectTimeout, Duration headTimeout, Duration readTimeout, long leastRate) {

  private static final long MILLIS = 1_000;

  /** How many bytes come in this time at least. */
  public long leastIn(Duration time) {
    return leastRate * time.toMillis() / MILLIS;
  }
}
