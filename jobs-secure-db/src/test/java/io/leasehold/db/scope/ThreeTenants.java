package io.leasehold.db.scope;

import io.leasehold.db.Acme;
import io.leasehold.db.TableDeclaration;
import io.leasehold.db.TenantWork;
import io.leasehold.db.UnverifiedDatabase;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Three tenants with rows that are alike, row level security switched off: the scoped DSL is alone.
 *
 * <p>A tenant has three customers, an order of each, and an order without a customer; the note of
 * an order and the name of a customer say whose they are. Each test starts with the same rows.
 */
final class ThreeTenants implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {

  static final int ORDERS_EACH = 4;

  private static final Set<TableDeclaration> TABLES = declared();

  private final Acme acme = new Acme();
  private @Nullable UnverifiedDatabase database;

  @Override
  public void beforeAll(ExtensionContext context) throws SQLException, IOException {
    acme.beforeAll(context);
    acme.disableRowLevelSecurity();
    acme.execute(
        """
        CREATE TABLE acme.ticket (
          tenant_id uuid NOT NULL, number integer CONSTRAINT ticket_pkey PRIMARY KEY, title text);
        CREATE TABLE acme.secret (word text);
        GRANT ALL ON acme.ticket, acme.secret TO leasehold_tenant;
        CREATE SCHEMA other;
        CREATE TABLE other.orders (tenant_id uuid, code text);
        GRANT USAGE ON SCHEMA other TO leasehold_tenant;
        GRANT ALL ON other.orders TO leasehold_tenant;
        """);
    database = UnverifiedDatabase.open(acme.config(), TABLES, 15);
  }

  @Override
  public void beforeEach(ExtensionContext context) throws SQLException {
    acme.execute(
        """
        TRUNCATE acme.orders, acme.customer, acme.ticket, acme.secret, acme.country
          RESTART IDENTITY;
        INSERT INTO acme.country VALUES ('NL', 'Netherlands'), ('PT', 'Portugal');
        INSERT INTO acme.secret VALUES ('of no tenant');
        """);
    for (var tenant : List.of(Acme.ANN, Acme.BOB, Acme.CAT)) {
      acme.execute(
          """
          INSERT INTO acme.customer
          SELECT '%1$s', md5('%1$s' || n)::uuid, 'customer ' || n || ' of %1$s'
          FROM generate_series(1, 3) n;
          INSERT INTO acme.orders (tenant_id, customer_id, code, total, note)
          SELECT tenant_id, id, left(name, 10), 10, tenant_id FROM acme.customer
          WHERE tenant_id = '%1$s';
          INSERT INTO acme.orders (tenant_id, code, total, note)
          VALUES ('%1$s', 'alone', 5, '%1$s');
          INSERT INTO acme.ticket VALUES ('%1$s', ascii(right('%1$s', 1)) - 96, 'of %1$s');
          """
              .formatted(tenant));
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws SQLException {
    opened().close();
    acme.afterAll(context);
  }

  /** Runs work as Ann, who reads and writes her own rows. */
  <T extends @Nullable Object> T ann(Function<DSLContext, T> work) {
    return as(Acme.of(Acme.ANN), work);
  }

  void annDoes(Consumer<DSLContext> work) {
    ann(
        tx -> {
          work.accept(tx);
          return 0;
        });
  }

  /** Runs work as Ann, who reads Bob's rows too. */
  <T extends @Nullable Object> T annReadingBob(Function<DSLContext, T> work) {
    return as(Acme.of(Acme.ANN, Acme.BOB), work);
  }

  <T extends @Nullable Object> T as(SecurityContext caller, Function<DSLContext, T> work) {
    TenantWork<T, RuntimeException> scoped = tx -> work.apply(tx.dsl());
    return opened().transactions().asTenant(caller, scoped);
  }

  UnverifiedDatabase opened() {
    if (database == null) {
      throw new IllegalStateException("the database is not open yet");
    }
    return database;
  }

  Acme acme() {
    return acme;
  }

  /** All rows of a tenant, column for column, in no table of another. */
  String rowsOf(TenantId tenant) throws SQLException {
    return text(
        """
        SELECT concat_ws(E'\\n',
            (SELECT string_agg(o::text, E'\\n' ORDER BY id) FROM acme.orders o
             WHERE tenant_id = '%1$s'),
            (SELECT string_agg(c::text, E'\\n' ORDER BY id) FROM acme.customer c
             WHERE tenant_id = '%1$s'),
            (SELECT string_agg(t::text, E'\\n' ORDER BY number) FROM acme.ticket t
             WHERE tenant_id = '%1$s'))
        """
            .formatted(tenant));
  }

  /** How many rows a tenant has. */
  long countOf(TenantId tenant) throws SQLException {
    return rowsOf(tenant).lines().count();
  }

  String rowsOfAll() throws SQLException {
    return rowsOf(Acme.ANN) + rowsOfOthers();
  }

  String rowsOfOthers() throws SQLException {
    return rowsOf(Acme.BOB) + rowsOf(Acme.CAT);
  }

  String text(String sql) throws SQLException {
    try (var connection = acme.database().connectAsAdministrator();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return String.valueOf(rows.getString(1));
    }
  }

  private static Set<TableDeclaration> declared() {
    var declared = new HashSet<>(Acme.TABLES);
    declared.add(new TableDeclaration.Scoped(Ticket.TICKET));
    return declared;
  }
}
