package io.leasehold.rest;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The limits for one caller. Immutable; each method returns a changed copy.
 *
 * @param bodyMost bytes of a request's body; default 1 MiB
 * @param headerMost bytes of a request's line and headers together; default 16 KiB
 * @param tokenMost characters of a token; default 8,192
 * @param requestsPerSecond a tenant's sustained rate of requests; default 100
 * @param requestsBurst a tenant's burst of requests after a pause; default 200
 * @param requestsPerSecondOfPrincipal the sustained rate of one principal of a tenant; default 100
 * @param requestsBurstOfPrincipal the burst of one principal of a tenant; default 200
 * @param streamsPerTenant concurrent streams of a tenant, and as many long polls; default 1,000
 * @param streamsPerPrincipal concurrent streams of one principal of a tenant, and as many long
 *     polls; default 1,000
 * @param answersPerTenant concurrent requests of a tenant, not counting streams and long polls;
 *     further requests wait for up to 5 s; default 50
 * @param slowAfter how long a client may leave a stream's data unread; default 30 s
 * @param headerTimeout how long a request may take to arrive, from its first byte to the last;
 *     default 10 s
 * @param keepAliveEvery the interval of keep-alives on an idle stream; default 15 s
 * @param waitMost the maximum wait of a long poll; default 60 s
 */
public record RestLimits(
    int bodyMost,
    int headerMost,
    int tokenMost,
    int requestsPerSecond,
    int requestsBurst,
    int requestsPerSecondOfPrincipal,
    int requestsBurstOfPrincipal,
    int streamsPerTenant,
    int streamsPerPrincipal,
    int answersPerTenant,
    Duration slowAfter,
    Duration headerTimeout,
    Duration keepAliveEvery,
    Duration waitMost) {

  private static final int RATE_MAX = 1_000_000;
  private static final int STREAMS_MAX = 100_000;
  private static final int ANSWERS_MAX = 10_000;

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public RestLimits {
    requireBetween("bodyMost", bodyMost, 2, 16 << 20);
    requireBetween("headerMost", headerMost, 1 << 10, 64 << 10);
    requireBetween("tokenMost", tokenMost, 1 << 8, 64 << 10);
    requireBetween("requestsPerSecond", requestsPerSecond, 1, RATE_MAX);
    requireBetween("requestsBurst", requestsBurst, 1, RATE_MAX);
    requireBetween("requestsPerSecondOfPrincipal", requestsPerSecondOfPrincipal, 1, RATE_MAX);
    requireBetween("requestsBurstOfPrincipal", requestsBurstOfPrincipal, 1, RATE_MAX);
    requireBetween("streamsPerTenant", streamsPerTenant, 0, STREAMS_MAX);
    requireBetween("streamsPerPrincipal", streamsPerPrincipal, 0, STREAMS_MAX);
    requireBetween("answersPerTenant", answersPerTenant, 1, ANSWERS_MAX);
    requireBetween("slowAfter", slowAfter, Duration.ofMillis(100), Duration.ofMinutes(10));
    requireBetween("headerTimeout", headerTimeout, Duration.ofMillis(100), Duration.ofMinutes(5));
    requireBetween("keepAliveEvery", keepAliveEvery, Duration.ofMillis(10), Duration.ofMinutes(5));
    requireBetween("waitMost", waitMost, Duration.ZERO, Duration.ofMinutes(10));
  }

  /** Returns the defaults. */
  public static RestLimits defaults() {
    return new Draft().limits();
  }

  /** Sets the maximum size of a request's body: 2 bytes to 16 MiB. */
  public RestLimits bodyMost(int bodyMost) {
    return but(draft -> draft.bodyMost = bodyMost);
  }

  /** Sets the maximum size of a request's line and headers together: 1 to 64 KiB. */
  public RestLimits headerMost(int headerMost) {
    return but(draft -> draft.headerMost = headerMost);
  }

  /** Sets the maximum length of a token: 256 to 65,536 characters. */
  public RestLimits tokenMost(int tokenMost) {
    return but(draft -> draft.tokenMost = tokenMost);
  }

  /** Sets a tenant's sustained rate: 1 to 1,000,000. */
  public RestLimits requestsPerSecond(int requestsPerSecond) {
    return but(draft -> draft.requestsPerSecond = requestsPerSecond);
  }

  /** Sets a tenant's burst after a pause: 1 to 1,000,000. */
  public RestLimits requestsBurst(int requestsBurst) {
    return but(draft -> draft.requestsBurst = requestsBurst);
  }

  /** Sets a principal's sustained rate: 1 to 1,000,000. */
  public RestLimits requestsPerSecondOfPrincipal(int requestsPerSecondOfPrincipal) {
    return but(draft -> draft.requestsPerSecondOfPrincipal = requestsPerSecondOfPrincipal);
  }

  /** Sets a principal's burst after a pause: 1 to 1,000,000. */
  public RestLimits requestsBurstOfPrincipal(int requestsBurstOfPrincipal) {
    return but(draft -> draft.requestsBurstOfPrincipal = requestsBurstOfPrincipal);
  }

  /** Sets the concurrent streams of a tenant, and as many long polls: up to 100,000. */
  public RestLimits streamsPerTenant(int streamsPerTenant) {
    return but(draft -> draft.streamsPerTenant = streamsPerTenant);
  }

  /** Sets the concurrent streams of one principal, and as many long polls: up to 100,000. */
  public RestLimits streamsPerPrincipal(int streamsPerPrincipal) {
    return but(draft -> draft.streamsPerPrincipal = streamsPerPrincipal);
  }

  /** Sets the concurrent requests of a tenant: 1 to 10,000. */
  public RestLimits answersPerTenant(int answersPerTenant) {
    return but(draft -> draft.answersPerTenant = answersPerTenant);
  }

  /** Sets how long a client may leave a stream's data unread: 100 ms to 10 minutes. */
  public RestLimits slowAfter(Duration slowAfter) {
    return but(draft -> draft.slowAfter = slowAfter);
  }

  /** Sets how long a request may take to arrive: 100 ms to 5 minutes. */
  public RestLimits headerTimeout(Duration headerTimeout) {
    return but(draft -> draft.headerTimeout = headerTimeout);
  }

  /** Sets the interval of keep-alives on an idle stream: 10 ms to 5 minutes. */
  public RestLimits keepAliveEvery(Duration keepAliveEvery) {
    return but(draft -> draft.keepAliveEvery = keepAliveEvery);
  }

  /** Sets the maximum wait of a long poll: up to 10 minutes. */
  public RestLimits waitMost(Duration waitMost) {
    return but(draft -> draft.waitMost = waitMost);
  }

  private static void requireBetween(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s must be %d to %d, not %d".formatted(name, least, most, value));
    }
  }

  private static void requireBetween(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s must be %s to %s, not %s".formatted(name, least, most, value));
    }
  }

  private RestLimits but(Consumer<Draft> change) {
    var draft = new Draft(this);
    change.accept(draft);
    return draft.limits();
  }

  /** A mutable copy of the limits. */
  private static final class Draft {

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

    private Draft() {}

    private Draft(RestLimits limits) {
      bodyMost = limits.bodyMost;
      headerMost = limits.headerMost;
      tokenMost = limits.tokenMost;
      requestsPerSecond = limits.requestsPerSecond;
      requestsBurst = limits.requestsBurst;
      requestsPerSecondOfPrincipal = limits.requestsPerSecondOfPrincipal;
      requestsBurstOfPrincipal = limits.requestsBurstOfPrincipal;
      streamsPerTenant = limits.streamsPerTenant;
      streamsPerPrincipal = limits.streamsPerPrincipal;
      answersPerTenant = limits.answersPerTenant;
      slowAfter = limits.slowAfter;
      headerTimeout = limits.headerTimeout;
      keepAliveEvery = limits.keepAliveEvery;
      waitMost = limits.waitMost;
    }

    private RestLimits limits() {
      return new RestLimits(
          bodyMost,
          headerMost,
          tokenMost,
          requestsPerSecond,
          requestsBurst,
          requestsPerSecondOfPrincipal,
          requestsBurstOfPrincipal,
          streamsPerTenant,
          streamsPerPrincipal,
          answersPerTenant,
          slowAfter,
          headerTimeout,
          keepAliveEvery,
          waitMost);
    }
  }
}
