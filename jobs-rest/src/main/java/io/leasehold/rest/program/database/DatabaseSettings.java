package io.leasehold.rest.program.database;

import static io.leasehold.rest.settings.Kinds.NUMBER;
import static io.leasehold.rest.settings.Kinds.SWITCH;
import static io.leasehold.rest.settings.Kinds.TEXT;
import static io.leasehold.rest.settings.Kinds.TIME;

import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.rest.settings.Kind;
import io.leasehold.rest.settings.Setting;
import io.leasehold.rest.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * Which database to use, and how.
 *
 * @param jdbcUrl the URL of an external database; without it, an embedded server is started
 * @param adminUser the user that may migrate an external database
 * @param adminPassword the password of that user
 * @param tenantPassword the password of the tenants' role of an external database
 * @param enginePassword the password of the engine's role of an external database
 * @param runtime what differs from the defaults of {@link DbConfig}
 */
public record DatabaseSettings(
    Optional<String> jdbcUrl,
    Optional<String> adminUser,
    Optional<Secret> adminPassword,
    Optional<Secret> tenantPassword,
    Optional<Secret> enginePassword,
    List<UnaryOperator<DbConfig.Builder>> runtime) {

  /** All settings of the database. */
  public static final List<Setting<DatabaseSettings, ?>> ALL =
      List.of(
          Setting.of("jdbc-url", TEXT, DatabaseSettings::jdbcUrl),
          Setting.of("admin-user", TEXT, DatabaseSettings::adminUser),
          Setting.secret("admin-password", TEXT, DatabaseSettings::adminPassword),
          Setting.secret("tenant-password", TEXT, DatabaseSettings::tenantPassword),
          Setting.secret("engine-password", TEXT, DatabaseSettings::enginePassword),
          runtime("tenant-user", TEXT, DbConfig.Builder::tenantUser),
          runtime("engine-user", TEXT, DbConfig.Builder::engineUser),
          runtime("tenant-connections", NUMBER, DbConfig.Builder::tenantConnections),
          runtime("engine-connections", NUMBER, DbConfig.Builder::engineConnections),
          runtime("idle-timeout", TIME, DbConfig.Builder::idleTimeout),
          runtime("connect-timeout", TIME, DbConfig.Builder::connectTimeout),
          runtime("start-timeout", TIME, DbConfig.Builder::startTimeout),
          runtime("statement-timeout", TIME, DbConfig.Builder::statementTimeout),
          runtime("transaction-timeout", TIME, DbConfig.Builder::transactionTimeout),
          runtime("lock-timeout", TIME, DbConfig.Builder::lockTimeout),
          runtime("notifications", SWITCH, DbConfig.Builder::notifications),
          runtime(
              "listen-url",
              value -> GivenUrl.checked("the connection that listens", TEXT.read(value)),
              DbConfig.Builder::listenUrl),
          runtime("fsync-required", SWITCH, DbConfig.Builder::fsyncRequired));

  private static final String ANY_DATABASE = "jdbc:postgresql://host/name";

  public DatabaseSettings {
    runtime = List.copyOf(runtime);
  }

  /** Returns the defaults: an embedded server. */
  public static DatabaseSettings defaults() {
    return new DatabaseSettings(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of());
  }

  /** Whether an external database is configured, rather than an embedded one. */
  public boolean isGiven() {
    return jdbcUrl.isPresent();
  }

  /**
   * Returns a copy with few connections, for a command that sends a few statements beside the
   * programs that serve.
   */
  public DatabaseSettings withFewConnections() {
    return runtime(builder -> builder.tenantConnections(1).engineConnections(1));
  }

  /** Reports the missing settings of an external database. */
  public void refuseWhatIsMissing(Settings settings) {
    if (!isGiven()) {
      return;
    }
    var missing = new ArrayList<String>();
    require(enginePassword, "LEASEHOLD_ENGINE_PASSWORD", missing);
    require(tenantPassword, "LEASEHOLD_TENANT_PASSWORD", missing);
    if (adminUser.isPresent()) {
      require(adminPassword, "LEASEHOLD_ADMIN_PASSWORD", missing);
    }
    if (!missing.isEmpty()) {
      settings.refuse(
          "a given database needs the environment variables %s, or the same in a file"
              .formatted(String.join(", ", missing)));
    }
  }

  private static void require(Optional<Secret> given, String variable, List<String> missing) {
    if (given.isEmpty()) {
      missing.add(variable);
    }
  }

  /** Returns the configuration for connecting with these passwords of the roles. */
  DbConfig runtime(String url, Secret tenants, Secret engine) {
    var config = DbConfig.of(url, tenants, engine);
    for (var change : runtime) {
      config = change.apply(config);
    }
    return config.build();
  }

  private static <T> Setting<DatabaseSettings, T> runtime(
      String key, Kind<T> kind, BiFunction<DbConfig.Builder, T, DbConfig.Builder> change) {
    return Setting.of(
        key, kind, (settings, value) -> settings.runtime(builder -> change.apply(builder, value)));
  }

  private DatabaseSettings runtime(UnaryOperator<DbConfig.Builder> change) {
    var nothing = new Secret("");
    change.apply(DbConfig.of(ANY_DATABASE, nothing, nothing)).build();
    var all = new ArrayList<>(runtime);
    all.add(change);
    return new DatabaseSettings(
        jdbcUrl, adminUser, adminPassword, tenantPassword, enginePassword, all);
  }

  private DatabaseSettings jdbcUrl(String url) {
    return new DatabaseSettings(
        Optional.of(GivenUrl.checked("the database", url)),
        adminUser,
        adminPassword,
        tenantPassword,
        enginePassword,
        runtime);
  }

  private DatabaseSettings adminUser(String user) {
    return new DatabaseSettings(
        jdbcUrl, Optional.of(user), adminPassword, tenantPassword, enginePassword, runtime);
  }

  private DatabaseSettings adminPassword(String password) {
    return new DatabaseSettings(
        jdbcUrl, adminUser, secret(password), tenantPassword, enginePassword, runtime);
  }

  private DatabaseSettings tenantPassword(String password) {
    return new DatabaseSettings(
        jdbcUrl, adminUser, adminPassword, secret(password), enginePassword, runtime);
  }

  private DatabaseSettings enginePassword(String password) {
    return new DatabaseSettings(
        jdbcUrl, adminUser, adminPassword, tenantPassword, secret(password), runtime);
  }

  private static Optional<Secret> secret(String value) {
    return Optional.of(new Secret(value));
  }
}
