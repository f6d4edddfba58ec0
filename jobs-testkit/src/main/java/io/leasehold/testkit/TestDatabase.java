package io.leasehold.testkit;

import io.leasehold.embedded.EmbeddedServer;
import io.leasehold.migrations.MigrationConfig;
import io.leasehold.migrations.Migrator;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A fresh, migrated database for a test class.
 *
 * <p>All classes of a run share one server; each gets a copy of a migrated template.
 */
public final class TestDatabase implements BeforeAllCallback, AfterAllCallback {

  /** The password of every role of a test server. */
  public static final String PASSWORD = "secret";

  private static final AtomicInteger COUNT = new AtomicInteger();

  private String name = "";

  @Override
  public void beforeAll(ExtensionContext context) throws SQLException {
    name = "test_" + COUNT.incrementAndGet();
    execute("postgres", "CREATE DATABASE " + name + " TEMPLATE " + Shared.TEMPLATE);
    Shared.migrator(name, Map.of()).provision(); // A copy comes without the template's own rights.
  }

  @Override
  public void afterAll(ExtensionContext context) throws SQLException {
    execute("postgres", "DROP DATABASE " + name + " WITH (FORCE)");
  }

  /** Where this database is found, without user and password. */
  public String jdbcUrl() {
    return Shared.SERVER.jdbcUrl(name);
  }

  /** Opens a connection as a role: "leasehold_tenant", "leasehold_engine", "leasehold_owner". */
  public Connection connectAs(String role) throws SQLException {
    return DriverManager.getConnection(jdbcUrl(), role, PASSWORD);
  }

  /** Opens a connection that row level security does not apply to, to look at what is there. */
  public Connection connectAsAdministrator() throws SQLException {
    return DriverManager.getConnection(
        jdbcUrl(), EmbeddedServer.SUPERUSER, Shared.SERVER.password());
  }

  private static void execute(String database, String sql) throws SQLException {
    try (var connection =
            DriverManager.getConnection(
                Shared.SERVER.jdbcUrl(database),
                EmbeddedServer.SUPERUSER,
                Shared.SERVER.password());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static final class Shared {

    static final String TEMPLATE = "leasehold_template";
    static final EmbeddedServer SERVER = EmbeddedServer.temporary(Map.of());

    static {
      try {
        execute("postgres", "CREATE DATABASE " + TEMPLATE);
        migrator(
                TEMPLATE,
                Map.of(
                    "leasehold_owner", PASSWORD,
                    "leasehold_tenant", PASSWORD,
                    "leasehold_engine", PASSWORD))
            .migrate();
      } catch (SQLException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    static Migrator migrator(String database, Map<String, String> passwords) {
      return new Migrator(
          new MigrationConfig(
              SERVER.jdbcUrl(database), EmbeddedServer.SUPERUSER, SERVER.password(), passwords));
    }
  }
}
