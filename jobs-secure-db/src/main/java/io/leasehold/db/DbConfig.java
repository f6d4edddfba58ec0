package io.leasehold.db;

import java.time.Duration;

/**
 * The database to use, the roles to connect as, and all time limits. Immutable; {@link #of} starts
 * a builder, whose methods describe the settings.
 */
public final class DbConfig implements Cloneable {

  private static final int CONNECTIONS_MAX = 1_000;
  private static final Duration CONNECT_LEAST = Duration.ofMillis(250); // The pool's minimum.
  private static final Duration START_LEAST = Duration.ofSeconds(1); // The driver counts seconds.
  private static final Duration IDLE_LEAST = Duration.ofSeconds(10); // The pool's minimum.
  private static final Duration IDLE_MOST = Duration.ofMinutes(25); // Below a connection's life.
  private static final Duration LIMIT_LEAST = Duration.ofMillis(1);
  private static final Duration LIMIT_MOST = Duration.ofDays(24); // The server counts to 2^31 ms.

  private final String jdbcUrl;
  private final Secret tenantPassword;
  private final Secret enginePassword;

  // Changed by the builder only, which returns a copy.
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

  private DbConfig(String jdbcUrl, Secret tenantPassword, Secret enginePassword) {
    requireUrl("jdbcUrl", jdbcUrl);
    this.jdbcUrl = jdbcUrl;
    this.listenUrl = jdbcUrl;
    this.tenantPassword = tenantPassword;
    this.enginePassword = enginePassword;
  }

  /**
   * Returns a builder with the defaults, for a database and the passwords of its two run-time
   * roles.
   *
   * @param jdbcUrl the database, without user and password
   */
  public static Builder of(String jdbcUrl, Secret tenantPassword, Secret enginePassword) {
    return new Builder(new DbConfig(jdbcUrl, tenantPassword, enginePassword));
  }

  public String jdbcUrl() {
    return jdbcUrl;
  }

  public String tenantUser() {
    return tenantUser;
  }

  public Secret tenantPassword() {
    return tenantPassword;
  }

  public String engineUser() {
    return engineUser;
  }

  public Secret enginePassword() {
    return enginePassword;
  }

  public int tenantConnections() {
    return tenantConnections;
  }

  public int engineConnections() {
    return engineConnections;
  }

  public Duration idleTimeout() {
    return idleTimeout;
  }

  public Duration connectTimeout() {
    return connectTimeout;
  }

  public Duration startTimeout() {
    return startTimeout;
  }

  public Duration statementTimeout() {
    return statementTimeout;
  }

  public Duration transactionTimeout() {
    return transactionTimeout;
  }

  public Duration lockTimeout() {
    return lockTimeout;
  }

  public boolean notifications() {
    return notifications;
  }

  public String listenUrl() {
    return listenUrl;
  }

  public boolean fsyncRequired() {
    return fsyncRequired;
  }

  /** Returns the database and the roles, without passwords, also of the URL. */
  @Override
  public String toString() {
    return "DbConfig[jdbcUrl=%s, tenantUser=%s, engineUser=%s]"
        .formatted(JdbcUrl.redacted(jdbcUrl), tenantUser, engineUser);
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

  private DbConfig copy() {
    try {
      return (DbConfig) clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e); // The class is Cloneable.
    }
  }

  /**
   * Collects settings that differ from the defaults; each method throws an {@link
   * IllegalArgumentException} if the value is out of its bounds. Not safe to share between threads.
   */
  public static final class Builder {

    private final DbConfig config;

    private Builder(DbConfig config) {
      this.config = config;
    }

    /**
     * The login for tenants; default {@code leasehold_tenant}. Any other login must be a member of
     * that role.
     */
    public Builder tenantUser(String tenantUser) {
      config.tenantUser = tenantUser;
      return this;
    }

    /**
     * The login for the engine; default {@code leasehold_engine}. Any other login must be a member
     * of that role.
     */
    public Builder engineUser(String engineUser) {
      config.engineUser = engineUser;
      return this;
    }

    /** The maximum number of connections for tenants: 1 to 1000; default 10. */
    public Builder tenantConnections(int tenantConnections) {
      requireCount("tenantConnections", tenantConnections);
      config.tenantConnections = tenantConnections;
      return this;
    }

    /** The maximum number of connections for the engine: 1 to 1000; default 5. */
    public Builder engineConnections(int engineConnections) {
      requireCount("engineConnections", engineConnections);
      config.engineConnections = engineConnections;
      return this;
    }

    /**
     * How long an unused connection stays open, apart from two of each pool: 10 s to 25 min;
     * default 2 min.
     */
    public Builder idleTimeout(Duration idleTimeout) {
      requireIdle(idleTimeout);
      config.idleTimeout = idleTimeout;
      return this;
    }

    /**
     * How long the start waits for each answer of the server while it verifies the database: 1 s to
     * 24 days; default 30 s.
     */
    public Builder startTimeout(Duration startTimeout) {
      requireBetween("startTimeout", startTimeout, START_LEAST);
      config.startTimeout = startTimeout;
      return this;
    }

    /** How long to wait for a free connection: 250 ms to 24 days; default 10 s. */
    public Builder connectTimeout(Duration connectTimeout) {
      requireBetween("connectTimeout", connectTimeout, CONNECT_LEAST);
      config.connectTimeout = connectTimeout;
      return this;
    }

    /** The limit of each statement: 1 ms to 24 days; default 30 s. */
    public Builder statementTimeout(Duration statementTimeout) {
      requireBetween("statementTimeout", statementTimeout, LIMIT_LEAST);
      config.statementTimeout = statementTimeout;
      return this;
    }

    /** The limit of a whole transaction, idle or not: 1 ms to 24 days; default 60 s. */
    public Builder transactionTimeout(Duration transactionTimeout) {
      requireBetween("transactionTimeout", transactionTimeout, LIMIT_LEAST);
      config.transactionTimeout = transactionTimeout;
      return this;
    }

    /**
     * How long to wait for a row that another transaction has locked: 1 ms to 24 days; default 10
     * s.
     */
    public Builder lockTimeout(Duration lockTimeout) {
      requireBetween("lockTimeout", lockTimeout, LIMIT_LEAST);
      config.lockTimeout = lockTimeout;
      return this;
    }

    /**
     * Whether the server announces new work over a permanent connection; default on. When off, no
     * session is needed, and everything may go through a transaction pooler.
     */
    public Builder notifications(boolean notifications) {
      config.notifications = notifications;
      return this;
    }

    /** The URL for that connection, to bypass a pooler; default the same as the database's. */
    public Builder listenUrl(String listenUrl) {
      requireUrl("listenUrl", listenUrl);
      config.listenUrl = listenUrl;
      return this;
    }

    /** Whether to refuse a server that may lose commits; default on. Off for tests only. */
    public Builder fsyncRequired(boolean fsyncRequired) {
      config.fsyncRequired = fsyncRequired;
      return this;
    }

    /** Builds the configuration. */
    public DbConfig build() {
      return config.copy();
    }
  }
}
