package io.leasehold.rest.program.database;

import io.leasehold.db.DbConfig;
import io.leasehold.db.JdbcUrl;
import io.leasehold.embedded.EmbeddedServer;
import io.leasehold.migrations.MigrationConfig;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The database that the program works on.
 *
 * @param jdbcUrl its URL, without user and password
 * @param origin its description for people
 * @param administrator the login that may migrate it, if one was configured
 * @param passwords the passwords by role
 * @param runtime the configuration for connecting to it
 * @param server the server that was started for it, if any
 */
public record Database(
    String jdbcUrl,
    String origin,
    Optional<Login> administrator,
    Map<String, String> passwords,
    DbConfig runtime,
    Optional<EmbeddedServer> server)
    implements AutoCloseable {

  public Database {
    passwords = Map.copyOf(passwords);
  }

  /** Returns the migration's configuration, if an administrator was configured. */
  public Optional<MigrationConfig> migration() {
    return administrator.map(
        it -> new MigrationConfig(jdbcUrl, it.user(), it.password(), passwords));
  }

  /**
   * Returns the migration's configuration.
   *
   * @throws IllegalArgumentException if no administrator was configured
   */
  public MigrationConfig requireMigration() {
    return migration()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "to change a given database, name its administrator: LEASEHOLD_ADMIN_USER and"
                        + " LEASEHOLD_ADMIN_PASSWORD"));
  }

  /** Its URL, for people and other programs. */
  public String shownUrl() {
    return JdbcUrl.redacted(jdbcUrl);
  }

  /** Completes when the server that was started for it has ended; never, if none was started. */
  public CompletableFuture<Void> serverEnded() {
    return server.map(EmbeddedServer::ended).orElseGet(CompletableFuture::new);
  }

  @Override
  public void close() {
    server.ifPresent(EmbeddedServer::close);
  }

  /** Omits the passwords. */
  @Override
  public String toString() {
    return shownUrl() + " (" + origin + ")";
  }

  /**
   * A user and its password.
   *
   * @param user the name
   * @param password the password, never shown
   */
  record Login(String user, String password) {

    @Override
    public String toString() {
      return user;
    }
  }
}
