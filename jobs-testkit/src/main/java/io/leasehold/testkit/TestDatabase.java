package io.leasehold.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A fresh, migrated database for a test class and its nested classes.
 *
 * {@snippet :
 * @RegisterExtension static final TestDatabase database = new TestDatabase();
 * }
 *
 * <p>All classes of a run share one server, and each gets a copy of a migrated template. The server
 * is
 *
 * <ol>
 *   <li>the one at {@code LEASEHOLD_TEST_JDBC_URL}, with an administrator's {@code
 *       LEASEHOLD_TEST_JDBC_USER} (default "postgres") and {@code LEASEHOLD_TEST_JDBC_PASSWORD};
 *       the platform's roles get the test password there;
 *   <li>otherwise, if a Docker engine answers, a container of {@code LEASEHOLD_TEST_IMAGE} (default
 *       "postgres:18", "none" for no container);
 *   <li>otherwise an embedded one.
 * </ol>
 *
 * <p>Statements that wait 10 seconds for a lock fail. Thread-safe.
 */
public final class TestDatabase implements BeforeAllCallback, AfterAllCallback {

  /** The password of the platform's roles on a test server. */
  public static final String PASSWORD = "secret";

  private static final String PROOF =
      """
      SELECT 'p' || encode(
        sha256(outer_pad || sha256(inner_pad || 'p' || convert_to(?, 'UTF8'))), 'hex')
      FROM leasehold.tenant_key ORDER BY id DESC LIMIT 1
      """;

  private final boolean migrated;
  private final List<String> scripts;
  private final Map<String, String> proofs = new HashMap<>();

  private int users;
  private @Nullable TestRun run;
  private String name = "";

  private TestDatabase(boolean migrated, List<String> scripts) {
    this.migrated = migrated;
    this.scripts = scripts;
  }

  /**
   * Creates a database of the platform.
   *
   * @param scripts SQL files on the class path that an administrator runs in it, such as
   *     "/com/acme/orders.sql"
   */
  public TestDatabase(String... scripts) {
    this(true, List.of(scripts));
  }

  /** Creates an empty database, for tests of migrations. */
  public static TestDatabase empty() {
    return new TestDatabase(false, List.of());
  }

  @Override
  public synchronized void beforeAll(ExtensionContext context) throws SQLException {
    if (users++ > 0) {
      return; // Nested classes are announced separately, and share the outer class's database.
    }
    var found = TestRun.of(context);
    run = found;
    name = migrated ? found.template().copy() : found.template().empty();
    for (var script : scripts) {
      execute(script);
    }
  }

  @Override
  public synchronized void afterAll(ExtensionContext context) throws SQLException {
    if (--users == 0) {
      run().template().drop(name);
    }
  }

  /** Returns the URL of this database, without user and password. */
  public String jdbcUrl() {
    return run().server().jdbcUrl(name);
  }

  /** Returns the user that {@link #connectAsAdministrator()} connects as. */
  public String administrator() {
    return run().server().user();
  }

  /** Returns the administrator's password. */
  public String administratorPassword() {
    return run().server().password();
  }

  /** Opens a connection as a role: "leasehold_tenant", "leasehold_engine", "leasehold_owner". */
  public Connection connectAs(String role) throws SQLException {
    return DriverManager.getConnection(jdbcUrl(), role, PASSWORD);
  }

  /** Opens a connection to which row level security does not apply, for inspecting the database. */
  public Connection connectAsAdministrator() throws SQLException {
    return run().server().connect(name);
  }

  /**
   * Enters a tenant in a running transaction of the tenant role, as the platform does, for tests
   * that send their own SQL.
   *
   * @param tenants the ids of the writable tenant and then of other readable ones, separated by
   *     commas
   */
  public void enterTenant(Connection transaction, String tenants) throws SQLException {
    try (var statement = transaction.prepareStatement("SELECT leasehold.enter_tenant(?, ?)")) {
      statement.setString(1, tenants);
      statement.setString(2, proofOf(tenants));
      statement.execute();
    }
  }

  /**
   * Returns a proof of these tenants that {@code leasehold.enter_tenant} accepts in any session. It
   * is signed with the key of this database, which the tenant role cannot read, and made once for
   * the same tenants.
   */
  public synchronized String proofOf(String tenants) throws SQLException {
    var known = proofs.get(tenants);
    if (known != null) {
      return known;
    }
    var proof = sign(tenants);
    proofs.put(tenants, proof);
    return proof;
  }

  private String sign(String tenants) throws SQLException {
    try (var connection = connectAsAdministrator();
        var statement = connection.prepareStatement(PROOF)) {
      statement.setString(1, tenants);
      try (var rows = statement.executeQuery()) {
        rows.next();
        return rows.getString(1);
      }
    }
  }

  /**
   * Runs an SQL file as the administrator.
   *
   * @param script its name on the class path, such as "/com/acme/orders.sql"
   */
  public void execute(String script) throws SQLException {
    try (var connection = connectAsAdministrator();
        var statement = connection.createStatement()) {
      statement.execute(read(script));
    }
  }

  private static String read(String script) {
    try (var in = Objects.requireNonNull(TestDatabase.class.getResourceAsStream(script), script)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private TestRun run() {
    if (run == null) {
      throw new IllegalStateException("there is no test database before the tests of its class");
    }
    return run;
  }
}
