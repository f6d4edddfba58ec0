package io.leasehold.db.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** The connections of one role. They start no transaction by themselves, and commit none. */
public final class RolePool implements AutoCloseable {

  // The engine's statements are planned once, while its tables are as good as empty; the plan has
  // to be good for when they are not. Through a pooler nothing is prepared, and planned as it is.
  private static final Map<String, String> PLANS =
      Map.of("enable_seqscan", "off", "plan_cache_mode", "force_generic_plan");

  // A role may give its own sessions settings, and with them keep itself from logging in, or change
  // how text is read. What is asked for at the start of a session comes before that.
  private static final Map<String, String> OWN =
      Map.ofEntries(
          Map.entry("local_preload_libraries", ""),
          // As the openings write it: from PostgreSQL 18 on, the driver forgets its prepared
          // statements whenever the server reports another value.
          Map.entry("search_path", "pg_catalog,\\ pg_temp"),
          Map.entry("row_security", "on"),
          Map.entry("standard_conforming_strings", "on"),
          Map.entry("default_transaction_read_only", "off"),
          Map.entry("default_transaction_isolation", "read\\ committed"),
          Map.entry("idle_session_timeout", "0"),
          Map.entry("jit", "off"));

  /** Connections that stay open without work, so that the next job need not wait for one. */
  private static final int WARM = 2;

  private final HikariDataSource pool;

  private RolePool(HikariConfig config) {
    this.pool = new HikariDataSource(config);
  }

  /**
   * The connections of the tenants.
   *
   * @param pooled whether they go through a pooler, which takes no settings
   * @param limits settings that their sessions begin with
   */
  public static RolePool ofTenants(DbConfig config, boolean pooled, Map<String, String> limits) {
    var settings =
        settings(
            "tenants",
            config,
            pooled,
            config.tenantUser(),
            config.tenantPassword(),
            config.tenantConnections());
    if (!pooled) {
      begin(settings, List.of(OWN, limits));
    }
    return new RolePool(settings);
  }

  public static RolePool ofEngine(DbConfig config, boolean pooled, Map<String, String> limits) {
    var settings =
        settings(
            "engine",
            config,
            pooled,
            config.engineUser(),
            config.enginePassword(),
            config.engineConnections());
    if (!pooled) {
      begin(settings, List.of(OWN, limits, PLANS));
    }
    return new RolePool(settings);
  }

  private static void begin(HikariConfig settings, List<Map<String, String>> session) {
    settings.addDataSourceProperty(
        "options",
        session.stream()
            .flatMap(part -> part.entrySet().stream())
            .map(setting -> "-c %s=%s".formatted(setting.getKey(), setting.getValue()))
            .collect(Collectors.joining(" ")));
    // The driver then gives the session its name at the start, and not as a setting that a
    // transaction takes back.
    settings.addDataSourceProperty("assumeMinServerVersion", "15");
  }

  public DataSource dataSource() {
    return pool;
  }

  @Override
  public void close() {
    pool.close();
  }

  private static HikariConfig settings(
      String name, DbConfig config, boolean pooled, String user, Secret password, int connections) {
    var settings = new HikariConfig();
    settings.setPoolName("leasehold-" + name);
    settings.setJdbcUrl(config.jdbcUrl());
    settings.setUsername(user);
    settings.setPassword(password.reveal());
    settings.setMaximumPoolSize(connections);
    if (connections > WARM) { // A smaller pool stays as it is.
      settings.setMinimumIdle(WARM);
      settings.setIdleTimeout(config.idleTimeout().toMillis());
    }
    settings.setConnectionTimeout(config.connectTimeout().toMillis());
    settings.setAutoCommit(false);
    // The first connection is opened by who needs it, who then sees why it cannot be had.
    settings.setInitializationFailTimeout(-1);
    settings.addDataSourceProperty("ApplicationName", "leasehold-" + name);
    settings.addDataSourceProperty("tcpKeepAlive", "true");
    settings.addDataSourceProperty(
        "connectTimeout", Integer.toString(Silence.wholeSeconds(config.connectTimeout())));
    settings.addDataSourceProperty(
        "socketTimeout", Integer.toString(Silence.seconds(config.transactionTimeout())));
    if (pooled) {
      // A pooler may hand the next statement to a server process that never prepared it.
      settings.addDataSourceProperty("prepareThreshold", "0");
    }
    return settings;
  }
}
