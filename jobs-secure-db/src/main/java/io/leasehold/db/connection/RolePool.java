package io.leasehold.db.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * The connection pool of one role. Its connections start no transaction by themselves, and commit
 * none.
 */
public final class RolePool implements AutoCloseable {

  // The engine's statements are planned once, while its tables are nearly empty, and the plan must
  // also be good for full tables. Through a pooler, statements are not prepared, so they are
  // planned for the current contents.
  private static final Map<String, String> PLANS =
      Map.of("enable_seqscan", "off", "plan_cache_mode", "force_generic_plan");

  // A role can set defaults for its own sessions, and with them prevent its own login or change how
  // text is parsed. Settings sent at the start of a session override those.
  private static final Map<String, String> OWN =
      Map.ofEntries(
          Map.entry("local_preload_libraries", ""),
          // Spelled as in the openings: from PostgreSQL 18 on, the driver forgets its prepared
          // statements whenever the server reports another value.
          Map.entry("search_path", "pg_catalog,\\ pg_temp"),
          Map.entry("row_security", "on"),
          Map.entry("standard_conforming_strings", "on"),
          Map.entry("default_transaction_read_only", "off"),
          Map.entry("default_transaction_isolation", "read\\ committed"),
          Map.entry("idle_session_timeout", "0"),
          Map.entry("jit", "off"));

  /**
   * The number of connections that stay open when idle, so that the next job need not wait for one.
   */
  private static final int WARM = 2;

  private final HikariDataSource pool;

  private RolePool(HikariConfig config) {
    this.pool = new HikariDataSource(config);
  }

  /**
   * Creates the pool for tenants.
   *
   * @param pooled whether the connections go through a pooler, which accepts no settings
   * @param limits settings for the start of each session
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
    // The driver then sends the session's name at the start, and not as a setting that a
    // transaction resets.
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
    if (connections > WARM) { // A smaller pool keeps its size.
      settings.setMinimumIdle(WARM);
      settings.setIdleTimeout(config.idleTimeout().toMillis());
    }
    settings.setConnectionTimeout(config.connectTimeout().toMillis());
    settings.setAutoCommit(false);
    // The first caller opens the first connection, and so sees why it fails.
    settings.setInitializationFailTimeout(-1);
    settings.addDataSourceProperty("ApplicationName", "leasehold-" + name);
    settings.addDataSourceProperty("tcpKeepAlive", "true");
    settings.addDataSourceProperty(
        "connectTimeout", Integer.toString(Silence.wholeSeconds(config.connectTimeout())));
    settings.addDataSourceProperty(
        "socketTimeout", Integer.toString(Silence.seconds(config.transactionTimeout())));
    if (pooled) {
      // A pooler may send the next statement to a server process that never prepared it.
      settings.addDataSourceProperty("prepareThreshold", "0");
    }
    return settings;
  }
}
