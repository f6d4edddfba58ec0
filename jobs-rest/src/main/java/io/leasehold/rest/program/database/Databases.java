package io.leasehold.rest.program.database;

import io.leasehold.db.Secret;
import io.leasehold.embedded.EmbeddedServer;
import io.leasehold.embedded.OtherServer;
import io.leasehold.rest.program.database.Database.Login;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the database to use: an external one if configured, otherwise that of an embedded server.
 *
 * @param settings the settings of the database
 * @param data the folder of the embedded server
 */
public record Databases(DatabaseSettings settings, Path data) {

  private static final String NAME = "leasehold";

  /**
   * Opens the database, and creates an embedded one if there is none yet.
   *
   * @throws IllegalStateException if the embedded server does not start
   */
  public Database open() {
    return settings.jdbcUrl().map(this::given).orElseGet(this::embedded);
  }

  /** Opens the database without creating one; it may belong to a running program. */
  public Database openExisting() {
    if (settings.isGiven()) {
      return open();
    }
    if (!Files.exists(data.resolve("cluster/PG_VERSION"))) {
      throw new IllegalStateException(
          "there is no database in %s yet: start the program once".formatted(data));
    }
    return EmbeddedServer.runningIn(data).map(this::running).orElseGet(this::embedded);
  }

  private Database given(String url) {
    var tenants = settings.tenantPassword().orElseThrow();
    var engine = settings.enginePassword().orElseThrow();
    var administrator =
        settings
            .adminUser()
            .map(it -> new Login(it, settings.adminPassword().orElseThrow().reveal()));
    return new Database(
        url,
        "given",
        administrator,
        Map.of(RolePasswords.TENANT, tenants.reveal(), RolePasswords.ENGINE, engine.reveal()),
        settings.runtime(url, tenants, engine),
        Optional.empty());
  }

  private Database running(OtherServer server) {
    return own(
        server.jdbcUrl(NAME), "of a server that runs already", server.password(), Optional.empty());
  }

  private Database embedded() {
    var server = EmbeddedServer.in(data, Map.of());
    try {
      server.ensureDatabase(NAME);
      return own(server.jdbcUrl(NAME), "embedded", server.password(), Optional.of(server));
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private Database own(
      String jdbcUrl, String kind, String password, Optional<EmbeddedServer> server) {
    var passwords = RolePasswords.in(data);
    return new Database(
        jdbcUrl,
        "%s, data in %s".formatted(kind, data.toAbsolutePath().normalize()),
        Optional.of(new Login(EmbeddedServer.SUPERUSER, password)),
        passwords,
        settings.runtime(
            jdbcUrl,
            new Secret(passwords.getOrDefault(RolePasswords.TENANT, "")),
            new Secret(passwords.getOrDefault(RolePasswords.ENGINE, ""))),
        server);
  }
}
