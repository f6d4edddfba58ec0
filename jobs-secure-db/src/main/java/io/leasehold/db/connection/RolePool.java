package io.leasehold.db.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import javax.sql.DataSource;

/** The connections of one role. They start no transaction by themselves, and commit none. */
public final class RolePool implements AutoCloseable {

  // The engine's statements are planned once, while its tables are as good as empty; the plan has
  // to be good for when they are not. Through a pooler nothing is prepared, and planned as it is.
  private static final String PLANS = "-c enable_seqscan=off -c plan_cache_mode=force_generic_plan";

  private final HikariDataSource pool;

  private RolePool(HikariConfig config) {
    this.pool = new HikariDataSource(config);
  }

  /**
   * The connections of the tenants.
   *
   * @param pooled whether they go through a pooler
   */
  public static RolePool ofTenants(DbConfig config, boolean pooled) {
    return new RolePool(
        settings(
            "tenants",
            config,
            pooled,
            config.tenantUser(),
            config.tenantPassword(),
            config.tenantConnections()));
  }

  public static RolePool ofEngine(DbConfig config, boolean pooled) {
    var settings =
        settings(
            "engine",
            config,
            pooled,
            config.engineUser(),
            config.enginePassword(),
            config.engineConnections());
    if (!pooled) {
      settings.addDataSourceProperty("options", PLANS);
    }
    return new RolePool(settings);
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
