package io.leasehold.db;

import static io.leasehold.db.acme.Tables.ORDERS;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import io.leasehold.jobs.TenantId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.Record1;
import org.jooq.Select;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The business module's database, with functions, opened by its front door. */
public final class OpenAcme implements BeforeAllCallback, AfterAllCallback {

  private static final Name OWN_TENANT = name("leasehold", "own_tenant");
  private static final Name READABLE_TENANTS = name("leasehold", "readable_tenants");

  public static final Set<TableDeclaration> TABLES = declared();

  private final Acme acme = new Acme();
  private final UnaryOperator<DbConfig.Builder> limits;
  private @Nullable UnverifiedDatabase database;

  public OpenAcme() {
    this(limits -> limits);
  }

  public OpenAcme(UnaryOperator<DbConfig.Builder> limits) {
    this.limits = limits;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws SQLException, IOException {
    acme.beforeAll(context);
    acme.execute(script());
    database = openAt(acme.database().jdbcUrl());
  }

  @Override
  public void afterAll(ExtensionContext context) throws SQLException {
    if (database != null) {
      database.close();
    }
    acme.afterAll(context);
  }

  public Transactions transactions() {
    return Objects.requireNonNull(database).transactions();
  }

  public Acme acme() {
    return acme;
  }

  /** Opens the database a second time, as it is found under another address. */
  public UnverifiedDatabase openAt(String jdbcUrl) throws SQLException {
    return UnverifiedDatabase.open(config(jdbcUrl), TABLES, serverVersion());
  }

  public DbConfig config(String jdbcUrl) {
    var password = acme.config().tenantPassword();
    return limits.apply(DbConfig.of(jdbcUrl, password, password)).build();
  }

  public int serverVersion() throws SQLException {
    try (var connection = acme.database().connectAsAdministrator()) {
      return connection.getMetaData().getDatabaseMajorVersion();
    }
  }

  /** Inserts an order. */
  public static int order(ScopedTransaction tx, String code) {
    return tx.insert(ORDERS).set(ORDERS.CODE, code).execute();
  }

  /** What a function of the module returns. */
  public static Select<Record1<String>> call(String function, Field<?>... arguments) {
    return select(function(name("acme", function), String.class, arguments));
  }

  /** A setting as the server has it. */
  public static String setting(ScopedTransaction tx, String name) {
    return setting(tx.dsl(), name);
  }

  /** The same for the engine. */
  public static String setting(DSLContext dsl, String name) {
    return dsl.select(function(name("current_setting"), String.class, inline(name), inline(true)))
        .fetchSingle()
        .value1();
  }

  /** The tenant of a transaction, as the server knows it. */
  public static String tenant(ScopedTransaction tx) {
    return String.valueOf(
        tx.dsl().select(function(OWN_TENANT, String.class)).fetchSingle().value1());
  }

  /** All tenants that a transaction may read, as the server knows them; null for none. */
  public static @Nullable String readableTenants(DSLContext dsl) {
    return dsl.select(function(READABLE_TENANTS, String.class)).fetchSingle().value1();
  }

  /** The first column of a query that no policy applies to. */
  public List<String> look(String sql) throws SQLException {
    try (var connection = acme.database().connectAsAdministrator();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      var values = new ArrayList<String>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }

  /** The codes of a tenant's orders that were committed. */
  public List<String> ordersOf(TenantId tenant) throws SQLException {
    return look(
        "SELECT code FROM acme.orders WHERE tenant_id = '%s' ORDER BY id".formatted(tenant));
  }

  private static Set<TableDeclaration> declared() {
    var declared = new HashSet<>(Acme.TABLES);
    Stream.of(
            "pause",
            "backend",
            "leave_setting",
            "leave_lock",
            "leave_role",
            "leave_listening",
            "leave_cursor",
            "leave_table")
        .map(function -> new TableDeclaration.Callable(name("acme", function)))
        .forEach(declared::add);
    declared.add(new TableDeclaration.Callable(OWN_TENANT));
    declared.add(new TableDeclaration.Callable(READABLE_TENANTS));
    declared.add(new TableDeclaration.Callable(name("current_setting")));
    return declared;
  }

  private static String script() throws IOException {
    try (var in = OpenAcme.class.getResourceAsStream("functions.sql")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
