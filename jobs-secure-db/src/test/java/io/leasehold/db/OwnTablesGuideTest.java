package io.leasehold.db;

import static io.leasehold.db.TenantTableBinder.tenantTables;
import static io.leasehold.db.acme.Tables.COUNTRY;
import static io.leasehold.db.acme.Tables.CUSTOMER;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.acme.Tables.ORDER_V;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.name;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import java.util.List;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The example of docs/guide/own-tables.md, and what the guides say of refusals. */
@SuppressWarnings("SameNameButDifferent") // The guide has names of its own.
class OwnTablesGuideTest {

  @RegisterExtension static final Acme acme = new Acme();

  private final SecurityContext caller = SecurityContext.of("ann@acme.example", Acme.ANN).build();

  private static final class OrdersModule extends AbstractModule {
    @Override
    protected void configure() {
      tenantTables(binder()).scoped(CUSTOMER).scoped(ORDERS).shared(COUNTRY);
    }
  }

  private static final class AllTables extends AbstractModule {
    @Override
    protected void configure() {
      tenantTables(binder()).scoped(CUSTOMER).scoped(ORDERS).scoped(ORDER_V).shared(COUNTRY);
    }
  }

  private static final class Functions extends AbstractModule {
    @Override
    protected void configure() {
      tenantTables(binder()).function(name("acme", "order_total")).function(name("pg_column_size"));
    }
  }

  /** All of it, word for word, so that it compiles; the tests run it with a server of their own. */
  static void allOfIt(
      String jdbcUrl, Secret tenantPassword, Secret enginePassword, TenantId tenant) {
    final class OrdersModule extends AbstractModule {
      @Override
      protected void configure() {
        tenantTables(binder()).scoped(CUSTOMER).scoped(ORDERS).shared(COUNTRY);
      }
    }

    var config = DbConfig.of(jdbcUrl, tenantPassword, enginePassword).build();
    var injector = Guice.createInjector(new SecureDbModule(config), new OrdersModule());

    try (var database = injector.getInstance(SecureDatabase.class)) {
      database.start();
      var transactions = injector.getInstance(Transactions.class);
      var caller = SecurityContext.of("ann@acme.example", tenant).build();

      transactions.asTenant(
          caller,
          tx ->
              tx.insert(ORDERS)
                  .set(ORDERS.CODE, "A-1")
                  .set(ORDERS.TOTAL, 10)
                  .onConflict(ORDERS.TENANT_ID, ORDERS.CODE)
                  .doUpdate()
                  .set(ORDERS.TOTAL, excluded(ORDERS.TOTAL))
                  .execute());
    }
  }

  @Test
  void declaresViewsAndFunctionsInOneLine() {
    var modules = List.of(new SecureDbModule(acme.config()), new AllTables(), new Functions());
    try (var database = Guice.createInjector(modules).getInstance(SecureDatabase.class)) {
      database.start();
      placeOrder(database, 10);

      var size = DSL.function("pg_column_size", SQLDataType.INTEGER, ORDER_V.TOTAL);

      List<Integer> sizes =
          database.asTenant(caller, tx -> tx.dsl().select(size).from(ORDER_V).fetch(size));
      assertThat(sizes).containsExactly(4);
    }
  }

  @BeforeEach
  void noOrders() throws Exception {
    acme.execute("DELETE FROM acme.orders");
  }

  @Test
  void runsFromTheModuleToTheEnd() {
    try (var database = opened()) {
      placeOrder(database, 10);
      placeOrder(database, 20);

      assertThat(totals(database)).containsExactly(20);
    }
  }

  private SecureDatabase opened() {
    var injector = Guice.createInjector(new SecureDbModule(acme.config()), new OrdersModule());
    var database = injector.getInstance(SecureDatabase.class);
    database.start();
    return database;
  }

  private void placeOrder(Transactions transactions, int total) {
    transactions.asTenant(
        caller,
        tx ->
            tx.insert(ORDERS)
                .set(ORDERS.CODE, "A-1")
                .set(ORDERS.TOTAL, total)
                .onConflict(ORDERS.TENANT_ID, ORDERS.CODE)
                .doUpdate()
                .set(ORDERS.TOTAL, excluded(ORDERS.TOTAL))
                .execute());
  }

  private List<Integer> totals(Transactions transactions) {
    return transactions.asTenant(caller, tx -> tx.selectFrom(ORDERS).fetch(ORDERS.TOTAL));
  }

  @Test
  void requiresTheTenantInTheKeyOfAConflict() {
    try (var database = opened()) {
      var thrown =
          catchThrowableOfType(
              JobsException.class,
              () ->
                  database.asTenant(
                      caller,
                      tx ->
                          tx.insert(ORDERS)
                              .set(ORDERS.CODE, "A-1")
                              .onConflict(ORDERS.CODE)
                              .doNothing()
                              .execute()));

      assertThat(thrown.code()).isEqualTo(ErrorCode.STATEMENT_FAILED);
    }
  }

  @Test
  void refusesAnUpdateWithoutACondition() {
    try (var database = opened()) {
      assertThatThrownBy(
              () ->
                  database.asTenant(caller, tx -> tx.update(ORDERS).set(ORDERS.TOTAL, 1).execute()))
          .isInstanceOf(DataAccessException.class);
    }
  }

  @Test
  void refusesATransactionOfJooqsOwn() {
    try (var database = opened()) {
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  database.asTenant(
                      caller,
                      tx -> tx.dsl().transactionResult(own -> own.dsl().fetchCount(ORDERS))))
          .withMessageContaining("savepoint");
    }
  }
}
