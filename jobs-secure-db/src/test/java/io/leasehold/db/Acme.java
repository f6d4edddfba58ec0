package io.leasehold.db;

import static io.leasehold.db.acme.Tables.COUNTRY;
import static io.leasehold.db.acme.Tables.CUSTOMER;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.acme.Tables.ORDER_V;

import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A business module with customers, orders and countries, and three tenants in it. */
public final class Acme implements BeforeAllCallback, AfterAllCallback {

  public static final TenantId ANN = TenantId.of("00000000-0000-0000-0000-00000000000a");
  public static final TenantId BOB = TenantId.of("00000000-0000-0000-0000-00000000000b");
  public static final TenantId CAT = TenantId.of("00000000-0000-0000-0000-00000000000c");

  public static final Set<TableDeclaration> TABLES =
      Set.of(
          new TableDeclaration.Scoped(CUSTOMER),
          new TableDeclaration.Scoped(ORDERS),
          new TableDeclaration.Scoped(ORDER_V),
          new TableDeclaration.Shared(COUNTRY));

  private final TestDatabase database = new TestDatabase();

  public static SecurityContext of(TenantId tenant) {
    return SecurityContext.of("tester", tenant).build();
  }

  public static SecurityContext of(TenantId tenant, TenantId alsoReads) {
    return SecurityContext.of("tester", tenant).reading(Set.of(alsoReads)).build();
  }

  @Override
  public void beforeAll(ExtensionContext context) throws SQLException, IOException {
    database.beforeAll(context);
    execute(script());
  }

  @Override
  public void afterAll(ExtensionContext context) throws SQLException {
    database.afterAll(context);
  }

  public TestDatabase database() {
    return database;
  }

  /** Runs statements that row level security does not apply to. */
  public void execute(String sql) throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Leaves the scoped DSL alone to isolate. */
  public void disableRowLevelSecurity() throws SQLException {
    for (var table : Set.of("acme.customer", "acme.orders", "acme.country")) {
      execute(
          "ALTER TABLE %s DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY"
              .formatted(table));
    }
  }

  /** The module's database, started. */
  public SecureDatabase open() {
    var opened = SecureDatabase.of(config(), TABLES);
    opened.start();
    return opened;
  }

  public DbConfig config() {
    var password = new Secret(TestDatabase.PASSWORD);
    return DbConfig.of(database.jdbcUrl(), password, password).fsyncRequired(false).build();
  }

  private static String script() throws IOException {
    try (var in = Acme.class.getResourceAsStream("acme.sql")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
