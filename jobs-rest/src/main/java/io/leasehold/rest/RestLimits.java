package io.leasehold.rest;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The limits for one caller. Immutable; each method with a parameter returns a changed copy, or
 * throws an {@link IllegalArgumentException} if the value is out of range.
 *
 * <p>This is no record, because Java copies a record with a change only if all of its components
 * are listed again. Here a limit is a field with the default, a method that sets it, and a method
 * that returns it.
 */
public final class RestLimits implements Cloneable {

  private static final int RATE_MAX = 1_000_000;
  private static final int STREAMS_MAX = 100_000;

  // Changed by with() only, in a copy that is not used yet.
  private int bodyMost = 1 << 20;
  private int headerMost = 16 << 10;
  private int tokenMost = 8 << 10;
  private int requestsPerSecond = 100;
  private int requestsBurst = 200;
  private int requestsPerSecondOfPrincipal = 100;
  private int requestsBurstOfPrincipal = 200;
  private int streamsPerTenant = 1_000;
  private int streamsPerPrincipal = 1_000;
  private int answersPerTenant = 50;
  private Duration slowAfter = Duration.ofSeconds(30);
  private Duration headerTimeout = Duration.ofSeconds(10);
  private Duration keepAliveEvery = Duration.ofSeconds(15);
  private Duration waitMost = Duration.ofSeconds(60);

  private RestLimits() {}

  /** Returns the defaults. */
  public static RestLimits defaults() {
    return new RestLimits();
  }

  /** Sets the maximum size of a request's body: 2 bytes to 16 MiB; default 1 MiB. */
  public RestLimits bodyMost(int bodyMost) {
    requireBetween("bodyMost", bodyMost, 2, 16 << 20);
    return with(copy -> copy.bodyMost = bodyMost);
  }

  public int bodyMost() {
    return bodyMost;
  }

  /**
   * Sets the maximum size of a request's line and headers together: 1 to 64 KiB; default 16 KiB.
   */
  public RestLimits headerMost(int headerMost) {
    requireBetween("headerMost", headerMost, 1 << 10, 64 << 10);
    return with(copy -> copy.headerMost = headerMost);
  }

  public int headerMost() {
    return headerMost;
  }

  /** Sets the maximum length of a token: 256 to 65,536 characters; default 8,192. */
  public RestLimits tokenMost(int tokenMost) {
    requireBetween("tokenMost", tokenMost, 1 << 8, 64 << 10);
    return with(copy -> copy.tokenMost = tokenMost);
  }

  public int tokenMost() {
    return tokenMost;
  }

  /** Sets a tenant's sustained rate of requests: 1 to 1,000,000; default 100. */
  public RestLimits requestsPerSecond(int requestsPerSecond) {
    requireBetween("requestsPerSecond", requestsPerSecond, 1, RATE_MAX);
    return with(copy -> copy.requestsPerSecond = requestsPerSecond);
  }

  public int requestsPerSecond() {
    return requestsPerSecond;
  }

  /** Sets a tenant's burst of requests after a pause: 1 to 1,000,000; default 200. */
  public RestLimits requestsBurst(int requestsBurst) {
    requireBetween("requestsBurst", requestsBurst, 1, RATE_MAX);
    return with(copy -> copy.requestsBurst = requestsBurst);
  }

  public int requestsBurst() {
    return requestsBurst;
  }

  /** Sets the sustained rate of one principal of a tenant: 1 to 1,000,000; default 100. */
  public RestLimits requestsPerSecondOfPrincipal(int requestsPerSecondOfPrincipal) {
    requireBetween("requestsPerSecondOfPrincipal", requestsPerSecondOfPrincipal, 1, RATE_MAX);
    return with(copy -> copy.requestsPerSecondOfPrincipal = requestsPerSecondOfPrincipal);
  }

  public int requestsPerSecondOfPrincipal() {
    return requestsPerSecondOfPrincipal;
  }

  /** Sets the burst of one principal of a tenant after a pause: 1 to 1,000,000; default 200. */
  public RestLimits requestsBurstOfPrincipal(int requestsBurstOfPrincipal) {
    requireBetween("requestsBurstOfPrincipal", requestsBurstOfPrincipal, 1, RATE_MAX);
    return with(copy -> copy.requestsBurstOfPrincipal = requestsBurstOfPrincipal);
  }

  public int requestsBurstOfPrincipal() {
    return requestsBurstOfPrincipal;
  }

  /**
   * Sets the concurrent streams of a tenant, and as many long polls: up to 100,000; default 1,000.
   */
  public RestLimits streamsPerTenant(int streamsPerTenant) {
    requireBetween("streamsPerTenant", streamsPerTenant, 0, STREAMS_MAX);
    return with(copy -> copy.streamsPerTenant = streamsPerTenant);
  }

  public int streamsPerTenant() {
    return streamsPerTenant;
  }

  /**
   * Sets the concurrent streams of one principal of a tenant, and as many long polls: up to
   * 100,000; default 1,000.
   */
  public RestLimits streamsPerPrincipal(int streamsPerPrincipal) {
    requireBetween("streamsPerPrincipal", streamsPerPrincipal, 0, STREAMS_MAX);
    return with(copy -> copy.streamsPerPrincipal = streamsPerPrincipal);
  }

  public int streamsPerPrincipal() {
    return streamsPerPrincipal;
  }

  /**
   * Sets the concurrent requests of a tenant, not counting streams and long polls: 1 to 10,000;
   * default 50. Further requests wait for up to 5 s.
   */
  public RestLimits answersPerTenant(int answersPerTenant) {
    requireBetween("answersPerTenant", answersPerTenant, 1, 10_000);
    return with(copy -> copy.answersPerTenant = answersPerTenant);
  }

  public int answersPerTenant() {
    return answersPerTenant;
  }

  /**
   * Sets how long a client may leave a stream's data unread: 100 ms to 10 minutes; default 30 s.
   */
  public RestLimits slowAfter(Duration slowAfter) {
    requireBetween("slowAfter", slowAfter, Duration.ofMillis(100), Duration.ofMinutes(10));
    return with(copy -> copy.slowAfter = slowAfter);
  }

  public Duration slowAfter() {
    return slowAfter;
  }

  /**
   * Sets how long a request may take to arrive, from its first byte to the last: 100 ms to 5
   * minutes; default 10 s.
   */
  public RestLimits headerTimeout(Duration headerTimeout) {
    requireBetween("headerTimeout", headerTimeout, Duration.ofMillis(100), Duration.ofMinutes(5));
    return with(copy -> copy.headerTimeout = headerTimeout);
  }

  public Duration headerTimeout() {
    return headerTimeout;
  }

  /** Sets the interval of keep-alives on an idle stream: 10 ms to 5 minutes; default 15 s. */
  public RestLimits keepAliveEvery(Duration keepAliveEvery) {
    requireBetween("keepAliveEvery", keepAliveEvery, Duration.ofMillis(10), Duration.ofMinutes(5));
    return with(copy -> copy.keepAliveEvery = keepAliveEvery);
  }

  public Duration keepAliveEvery() {
    return keepAliveEvery;
  }

  /** Sets the maximum wait of a long poll: up to 10 minutes; default 60 s. */
  public RestLimits waitMost(Duration waitMost) {
    requireBetween("waitMost", waitMost, Duration.ZERO, Duration.ofMinutes(10));
    return with(copy -> copy.waitMost = waitMost);
  }

  public Duration waitMost() {
    return waitMost;
  }

  private static <T extends Comparable<T>> void requireBetween(
      String name, T value, T least, T most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s must be %s to %s, not %s".formatted(name, least, most, value));
    }
  }

  private RestLimits with(Consumer<RestLimits> change) {
    try {
      var copy = (RestLimits) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e); // The class is Cloneable.
    }
  }
}
