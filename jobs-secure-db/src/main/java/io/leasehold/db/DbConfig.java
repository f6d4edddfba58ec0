package io.leasehold.db;

import java.time.Duration;

/**
 * The database to use, the roles to connect as, and all time limits.
 *
 * @param jdbcUrl the database, without user and password
 * @param tenantUser the role of module code; default {@code leasehold_tenant}
 * @param engineUser the role of the engine; default {@code leasehold_engine}
 * @param tenantConnections the maximum number of connections for tenants; default 10
 * @param engineConnections the maximum number of connections for the engine; default 5
 * @param idleTimeout how long an unused connection stays open, apart from a few of each pool;
 *     default 2 min
 * @param connectTimeout how long to wait for a free connection; default 10 s
 * @param startTimeout how long the start waits for each answer of the server while it verifies the
 *     database; default 30 s
 * @param statementTimeout the limit of each statement; default 30 s
 * @param transactionTimeout the limit of a whole transaction, idle or not; default 60 s
 * @param lockTimeout how long to wait for a row that another transaction has locked; default 10 s
 * @param notifications whether the server announces new work over a permanent connection; default
 *     on. When off, no session is needed, and everything may go through a transaction pooler
 * @param listenUrl the URL for that connection; default the same as {@code jdbcUrl}
 * @param fsyncRequired whether to refuse a server that may lose commits; off for tests only
 */
public record DbConfig(
    String jdbcUrl,
    String tenantUser,
    Secret tenantPassword,
    String engineUser,
    Secret enginePassword,
    int tenantConnections,
    int engineConnections,
    Duration idleTimeout,
    Duration connectTimeout,
    Duration startTimeout,
    Duration statementTimeout,
    Duration transactionTimeout,
    Duration lockTimeout,
    boolean notifications,
    String listenUrl,
    boolean fsyncRequired) {

  private static final int CONNECTIONS_MAX = 1_000;
  private static final Duration CONNECT_LEAST = Duration.ofMillis(250); // The pool's minimum.
  private static final Duration START_LEAST = Duration.ofSeconds(1); // The driver counts seconds.
  private static final Duration IDLE_LEAST = Duration.ofSeconds(10); // The pool's minimum.
  private static final Duration IDLE_MOST = Duration.ofMinutes(25); // Below a connection's life.
  private static final Duration LIMIT_MOST = Duration.ofDays(24); // The server counts to 2^31 ms.

  public DbConfig {
    requireUrl("jdbcUrl", jdbcUrl);
    requireUrl("listenUrl", listenUrl);
    requireCount("tenantConnections", tenantConnections);
    requireCount("engineConnections", engineConnections);
    requireIdle(idleTimeout);
    requireBetween("connectTimeout", connectTimeout, CONNECT_LEAST);
    requireBetween("startTimeout", startTimeout, START_LEAST);
    requireBetween("statementTimeout", statementTimeout, Duration.ofMillis(1));
    requireBetween("transactionTimeout", transactionTimeout, Duration.ofMillis(1));
    requireBetween("lockTimeout", lockTimeout, Duration.ofMillis(1));
  }

  /**
   * Returns a builder with the defaults, for a database and the passwords of its two run-time
   * roles.
   */
  public static Builder of(String jdbcUrl, Secret tenantPassword, Secret enginePassword) {
    return new Builder(jdbcUrl, tenantPassword, enginePassword);
  }

  /** Returns all settings except passwords, including those in the URLs. */
  @Override
  public String toString() {
    return ("DbConfig[jdbcUrl=%s, tenantUser=%s, engineUser=%s, tenantConnections=%d,"
            + " engineConnections=%d, idleTimeout=%s, connectTimeout=%s, startTimeout=%s,"
            + " statementTimeout=%s, transactionTimeout=%s, lockTimeout=%s, notifications=%s,"
            + " listenUrl=%s, fsyncRequired=%s]")
        .formatted(
            JdbcUrl.redacted(jdbcUrl),
            tenantUser,
            engineUser,
            tenantConnections,
            engineConnections,
            idleTimeout,
            connectTimeout,
            startTimeout,
            statementTimeout,
            transactionTimeout,
            lockTimeout,
            notifications,
            JdbcUrl.redacted(listenUrl),
            fsyncRequired);
  }

  private static void requireUrl(String name, String url) {
    if (!url.startsWith("jdbc:postgresql:")) {
      throw new IllegalArgumentException(
          "%s must start with jdbc:postgresql:, not %s".formatted(name, JdbcUrl.redacted(url)));
    }
    if (JdbcUrl.hasLogin(url)) {
      throw new IllegalArgumentException(
          "%s must have no user before the host, as in %s".formatted(name, JdbcUrl.redacted(url)));
    }
  }

  private static void requireCount(String name, int count) {
    if (count < 1 || count > CONNECTIONS_MAX) {
      throw new IllegalArgumentException(
          "%s must be 1 to %d, not %d".formatted(name, CONNECTIONS_MAX, count));
    }
  }

  private static void requireIdle(Duration limit) {
    if (limit.compareTo(IDLE_LEAST) < 0 || limit.compareTo(IDLE_MOST) > 0) {
      throw new IllegalArgumentException(
          "idleTimeout must be %d s to %d min, not %s"
              .formatted(IDLE_LEAST.toSeconds(), IDLE_MOST.toMinutes(), limit));
    }
  }

  private static void requireBetween(String name, Duration limit, Duration least) {
    if (limit.compareTo(least) < 0 || limit.compareTo(LIMIT_MOST) > 0) {
      throw new IllegalArgumentException(
          "%s must be %d ms to %d days, not %s"
              .formatted(name, least.toMillis(), LIMIT_MOST.toDays(), limit));
    }
  }

  /** Collects settings that differ from the defaults. Not safe to share between threads. */
  public static final class Builder {

    private final String jdbcUrl;
    private final Secret tenantPassword;
    private final Secret enginePassword;
    private String tenantUser = "leasehold_tenant";
    private String engineUser = "leasehold_engine";
    private int tenantConnections = 10;
    private int engineConnections = 5;
    private Duration idleTimeout = Duration.ofMinutes(2);
    private Duration connectTimeout = Duration.ofSeconds(10);
    private Duration startTimeout = Duration.ofSeconds(30);
    private Duration statementTimeout = Duration.ofSeconds(30);
    private Duration transactionTimeout = Duration.ofSeconds(60);
    private Duration lockTimeout = Duration.ofSeconds(10);
    private boolean notifications = true;
    private String listenUrl;
    private boolean fsyncRequired = true;

    private Builder(String jdbcUrl, Secret tenantPassword, Secret enginePassword) {
      this.jdbcUrl = jdbcUrl;
      this.listenUrl = jdbcUrl;
      this.tenantPassword = tenantPassword;
      this.enginePassword = enginePassword;
    }

    /**
     * The login for tenants; default {@code leasehold_tenant}. Any other login must be a member of
     * that role.
     */
    public Builder tenantUser(String tenantUser) {
      this.tenantUser = tenantUser;
      return this;
    }

    /**
     * The login for the engine; default {@code leasehold_engine}. Any other login must be a member
     * of that role.
     */
    public Builder engineUser(String engineUser) {
      this.engineUser = engineUser;
      return this;
    }

    /** The maximum number of connections for tenants: 1 to 1000; default 10. */
    public Builder tenantConnections(int tenantConnections) {
      this.tenantConnections = tenantConnections;
      return this;
    }

    /** The maximum number of connections for the engine: 1 to 1000; default 5. */
    public Builder engineConnections(int engineConnections) {
      this.engineConnections = engineConnections;
      return this;
    }

    /**
     * How long an unused connection stays open, apart from two of each pool: 10 s to 25 min;
     * default 2 min.
     */
    public Builder idleTimeout(Duration idleTimeout) {
      this.idleTimeout = idleTimeout;
      return this;
    }

    /**
     * How long the start waits for each answer of the server while it verifies the database: 1 s to
     * 24 days; default 30 s.
     */
    public Builder startTimeout(Duration startTimeout) {
      this.startTimeout = startTimeout;
      return this;
    }

    /** How long to wait for a free connection: 250 ms to 24 days; default 10 s. */
    public Builder connectTimeout(Duration connectTimeout) {
      this.connectTimeout = connectTimeout;
      return this;
    }

    /** The limit of each statement: 1 ms to 24 days; default 30 s. */
    public Builder statementTimeout(Duration statementTimeout) {
      this.statementTimeout = statementTimeout;
      return this;
    }

    /** The limit of a whole transaction, idle or not: 1 ms to 24 days; default 60 s. */
    public Builder transactionTimeout(Duration transactionTimeout) {
      this.transactionTimeout = transactionTimeout;
      return this;
    }

    /**
     * How long to wait for a row that another transaction has locked: 1 ms to 24 days; default 10
     * s.
     */
    public Builder lockTimeout(Duration lockTimeout) {
      this.lockTimeout = lockTimeout;
      return this;
    }

    /** Whether the server announces new work over a permanent connection; default on. */
    public Builder notifications(boolean notifications) {
      this.notifications = notifications;
      return this;
    }

    /** The URL for that connection, to bypass a pooler; default the same as the database's. */
    public Builder listenUrl(String listenUrl) {
      this.listenUrl = listenUrl;
      return this;
    }

    /** Whether to refuse a server that may lose commits; default on. Off for tests only. */
    public Builder fsyncRequired(boolean fsyncRequired) {
      this.fsyncRequired = fsyncRequired;
      return this;
    }

    /**
     * Builds the configuration.
     *
     * @throws IllegalArgumentException if a value is out of its bounds
     */
    public DbConfig build() {
      return new DbConfig(
          jdbcUrl,
          tenantUser,
          tenantPassword,
          engineUser,
          enginePassword,
          tenantConnections,
          engineConnections,
          idleTimeout,
          connectTimeout,
          startTimeout,
          statementTimeout,
          transactionTimeout,
          lockTimeout,
          notifications,
          listenUrl,
          fsyncRequired);
    }
  }
}
