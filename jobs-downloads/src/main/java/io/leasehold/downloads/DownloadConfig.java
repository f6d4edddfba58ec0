package io.leasehold.downloads;

import io.leasehold.downloads.address.Network;
import java.time.Duration;
import java.util.List;

/**
 * How files are downloaded. Immutable; each method returns a changed copy.
 *
 * @param networks that may be asked besides the open internet, as in {@code 10.1.0.0/16}; default
 *     none
 * @param bytesMost how many bytes a file has at most; default a gibibyte. An output of a job has a
 *     limit of its own
 * @param keepEvery how many bytes may have to be fetched twice when a process dies; default 8 MiB,
 *     and never more than five seconds' worth
 * @param connectTimeout how long to wait for a connection; default 10 s
 * @param readTimeout how long to wait when nothing comes; default 30 s
 * @param redirectsMost how many redirects are followed; default 5
 */
public record DownloadConfig(
    List<String> networks,
    long bytesMost,
    long keepEvery,
    Duration connectTimeout,
    Duration readTimeout,
    int redirectsMost) {

  private static final Duration TIMEOUT_LEAST = Duration.ofMillis(10);
  private static final Duration TIMEOUT_MOST = Duration.ofMinutes(10);
  private static final int REDIRECTS_MOST = 20;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if one does not hold
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
    requireTimeout("readTimeout", readTimeout);
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

  /** The defaults. */
  public static DownloadConfig defaults() {
    return new DownloadConfig(
        List.of(), 1L << 30, 8L << 20, Duration.ofSeconds(10), Duration.ofSeconds(30), 5);
  }

  /** Which networks may be asked besides the open internet. */
  public DownloadConfig networks(String... networks) {
    return new DownloadConfig(
        List.of(networks), bytesMost, keepEvery, connectTimeout, readTimeout, redirectsMost);
  }

  /** How many bytes a file has at most. */
  public DownloadConfig bytesMost(long bytesMost) {
    return new DownloadConfig(
        networks, bytesMost, keepEvery, connectTimeout, readTimeout, redirectsMost);
  }

  /** How many bytes may have to be fetched twice when a process dies. */
  public DownloadConfig keepEvery(long keepEvery) {
    return new DownloadConfig(
        networks, bytesMost, keepEvery, connectTimeout, readTimeout, redirectsMost);
  }

  /** How long to wait for a connection: 10 ms to 10 minutes. */
  public DownloadConfig connectTimeout(Duration connectTimeout) {
    return new DownloadConfig(
        networks, bytesMost, keepEvery, connectTimeout, readTimeout, redirectsMost);
  }

  /** How long to wait when nothing comes: 10 ms to 10 minutes. */
  public DownloadConfig readTimeout(Duration readTimeout) {
    return new DownloadConfig(
        networks, bytesMost, keepEvery, connectTimeout, readTimeout, redirectsMost);
  }

  /** How many redirects are followed: up to 20. */
  public DownloadConfig redirectsMost(int redirectsMost) {
    return new DownloadConfig(
        networks, bytesMost, keepEvery, connectTimeout, readTimeout, redirectsMost);
  }
}
