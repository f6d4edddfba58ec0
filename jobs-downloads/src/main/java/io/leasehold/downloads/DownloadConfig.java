package io.leasehold.downloads;

import io.leasehold.downloads.address.Network;
import java.time.Duration;
import java.util.List;

/**
 * How files are downloaded. A server that sends too slowly is not asked again within the attempt,
 * so that it does not occupy a slot. Immutable; each method returns a changed copy.
 *
 * @param networks networks that may be contacted in addition to the public internet, such as {@code
 *     10.1.0.0/16}; default none
 * @param bytesMost the maximum size of a file in bytes; default a gibibyte. Job outputs have a
 *     limit of their own
 * @param keepEvery how many bytes may have to be fetched twice when a process dies; default 8 MiB,
 *     and never more than five seconds' worth
 * @param connectTimeout how long to wait for a connection; default 10 s
 * @param headTimeout the time limit for connecting, TLS and the head of the response together, for
 *     the URL of a file and for each redirect; default 60 s
 * @param readTimeout how long to wait when no data arrives; default 30 s
 * @param leastRate the minimum rate in bytes per second, on average over {@code readTimeout};
 *     default 1,024
 * @param redirectsMost how many redirects are followed; default 5
 */
public record DownloadConfig(
    List<String> networks,
    long bytesMost,
    long keepEvery,
    Duration connectTimeout,
    Duration headTimeout,
    Duration readTimeout,
    long leastRate,
    int redirectsMost) {

  private static final Duration TIMEOUT_LEAST = Duration.ofMillis(10);
  private static final Duration TIMEOUT_MOST = Duration.ofMinutes(10);
  private static final long RATE_MOST = 1L << 30;
  private static final int REDIRECTS_MOST = 20;

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public DownloadConfig {
    networks = List.copyOf(networks);
    networks.forEach(Network::of);
    if (bytesMost < 1) {
      throw new IllegalArgumentException("bytesMost must be 1 or more, not " + bytesMost);
    }
    if (keepEvery < 1) {
      throw new IllegalArgumentException("keepEvery must be 1 or more, not " + keepEvery);
    }
    requireTimeout("connectTimeout", connectTimeout);
    requireTimeout("headTimeout", headTimeout);
    requireTimeout("readTimeout", readTimeout);
    if (leastRate < 1 || leastRate > RATE_MOST) {
      throw new IllegalArgumentException(
          "leastRate must be 1 to %d bytes a second, not %d".formatted(RATE_MOST, leastRate));
    }
    if (redirectsMost < 0 || redirectsMost > REDIRECTS_MOST) {
      throw new IllegalArgumentException(
          "redirectsMost must be 0 to %d, not %d".formatted(REDIRECTS_MOST, redirectsMost));
    }
  }

  private static void requireTimeout(String name, Duration value) {
    if (value.compareTo(TIMEOUT_LEAST) < 0 || value.compareTo(TIMEOUT_MOST) > 0) {
      throw new IllegalArgumentException(
          "%s must be %s to %s, not %s".formatted(name, TIMEOUT_LEAST, TIMEOUT_MOST, value));
    }
  }

  /** Returns the defaults. */
  public static DownloadConfig defaults() {
    return new DownloadConfig(
        List.of(),
        1L << 30,
        8L << 20,
        Duration.ofSeconds(10),
        Duration.ofSeconds(60),
        Duration.ofSeconds(30),
        1_024,
        5);
  }

  /** Sets the networks that may be contacted in addition to the public internet. */
  public DownloadConfig networks(String... networks) {
    return new DownloadConfig(
        List.of(networks),
        bytesMost,
        keepEvery,
        connectTimeout,
        headTimeout,
        readTimeout,
        leastRate,
        redirectsMost);
  }

  /** Sets the maximum size of a file in bytes. */
  public DownloadConfig bytesMost(long bytesMost) {
    return new DownloadConfig(
        networks,
        bytesMost,
        keepEvery,
        connectTimeout,
        headTimeout,
        readTimeout,
        leastRate,
        redirectsMost);
  }

  /** Sets how many bytes may have to be fetched twice when a process dies. */
  public DownloadConfig keepEvery(long keepEvery) {
    return new DownloadConfig(
        networks,
        bytesMost,
        keepEvery,
        connectTimeout,
        headTimeout,
        readTimeout,
        leastRate,
        redirectsMost);
  }

  /** Sets how long to wait for a connection: 10 ms to 10 minutes. */
  public DownloadConfig connectTimeout(Duration connectTimeout) {
    return new DownloadConfig(
        networks,
        bytesMost,
        keepEvery,
        connectTimeout,
        headTimeout,
        readTimeout,
        leastRate,
        redirectsMost);
  }

  /** Sets the total time limit for the head of a response: 10 ms to 10 minutes. */
  public DownloadConfig headTimeout(Duration headTimeout) {
    return new DownloadConfig(
        networks,
        bytesMost,
        keepEvery,
        connectTimeout,
        headTimeout,
        readTimeout,
        leastRate,
        redirectsMost);
  }

  /** Sets how long to wait when no data arrives: 10 ms to 10 minutes. */
  public DownloadConfig readTimeout(Duration readTimeout) {
    return new DownloadConfig(
        networks,
        bytesMost,
        keepEvery,
        connectTimeout,
        headTimeout,
        readTimeout,
        leastRate,
        redirectsMost);
  }

  /** Sets the minimum rate in bytes per second: 1 to 1,073,741,824. */
  public DownloadConfig leastRate(long leastRate) {
    return new DownloadConfig(
        networks,
        bytesMost,
        keepEvery,
        connectTimeout,
        headTimeout,
        readTimeout,
        leastRate,
        redirectsMost);
  }

  /** Sets how many redirects are followed: up to 20. */
  public DownloadConfig redirectsMost(int redirectsMost) {
    return new DownloadConfig(
        networks,
        bytesMost,
        keepEvery,
        connectTimeout,
        headTimeout,
        readTimeout,
        leastRate,
        redirectsMost);
  }
}
