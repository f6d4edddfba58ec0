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
 * @param jdbcUrl where it is, without user and password
 * @param origin for people
 * @param administrator who may migrate it, if anybody was named
 * @param passwords of the roles, by name
 * @param runtime how to work on it
 * @param server what was started for it, if anything was
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

  /** How to migrate it, where an administrator was named. */
  public Optional<MigrationConfig> migration() {
    return administrator.map(
        it -> new MigrationConfig(jdbcUrl, it.user(), it.password(), passwords));
  }

  /**
   * How to migrate it.
   *
   * @throws IllegalArgumentException if no administrator was named
   */
  public MigrationConfig requireMigration() {
    return migration()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "to change a given database, name its administrator: LEASEHOLD_ADMIN_USER and"
                        + " LEASEHOLD_ADMIN_PASSWORD"));
  }

  /** Where it is, for people and other programs. */
  public String shownUrl() {
    return JdbcUrl.redacted(jdbcUrl);
  }

  /** Completes when the server that was started for it has ended; never, where none was. */
  public CompletableFuture<Void> serverEnded() {
    return server.map(EmbeddedServer::ended).orElseGet(CompletableFuture::new);
  }

  @Override
  public void close() {
    server.ifPresent(EmbeddedServer::close);
  }

  /** Says nothing of passwords. */
  @Override
  public String toString() {
    return shownUrl() + " (" + origin + ")";
  }

  /**
   * A user and its password.
   *
   * @param user the name
   * @param password never shown
   */
  record Login(String user, String password) {

    @Override
    public String toString() {
      return user;
    }
  }
}
