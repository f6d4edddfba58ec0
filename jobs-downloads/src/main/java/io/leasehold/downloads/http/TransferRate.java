package io.leasehold.downloads.http;

import java.time.Duration;

/**
 * The rate that a server must keep.
 *
 * @param connectTimeout the time limit for connecting to each address of a name
 * @param headTimeout the time limit for the head of the response, counted from before connecting
 * @param readTimeout the time within which more data must arrive
 * @param leastRate the minimum rate in bytes per second after the head, on average over {@code
 *     readTimeout}
 */
public record TransferRate(
    Duration connectTimeout, Duration headTimeout, Duration readTimeout, long leastRate) {

  private static final long MILLIS = 1_000;

  /** The minimum number of bytes that must arrive in this time. */
  public long leastIn(Duration time) {
    return leastRate * time.toMillis() / MILLIS;
  }
}
