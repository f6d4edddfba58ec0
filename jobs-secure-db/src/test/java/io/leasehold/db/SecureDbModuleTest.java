package io.leasehold.db;

import static io.leasehold.db.TenantTableBinder.tenantTables;
import static io.leasehold.db.acme.Tables.COUNTRY;
import static io.leasehold.db.acme.Tables.CUSTOMER;
import static io.leasehold.db.acme.Tables.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.inject.AbstractModule;
import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Module;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SecureDbModuleTest {

  @RegisterExtension static final Acme acme = new Acme();

  /** What a business module writes. */
  private static final class OrdersModule extends AbstractModule {
    @Override
    protected void configure() {
      tenantTables(binder()).scoped(ORDERS).scoped(CUSTOMER).shared(COUNTRY);
    }
  }

  /** Another, which declares a table that the first has too. */
  private static final class ReportsModule extends AbstractModule {
    @Override
    protected void configure() {
      tenantTables(binder()).scoped(ORDERS);
    }
  }

  @Test
  void runsTransactionsOverTheDeclaredTables() {
    var injector = injector(new OrdersModule(), new ReportsModule());
    try (var database = injector.getInstance(SecureDatabase.class)) {
      database.start();
      var transactions = injector.getInstance(Transactions.class);

      var orders = transactions.asTenant(Acme.of(Acme.ANN), tx -> tx.selectFrom(ORDERS).fetch());

      assertThat(orders).isEmpty();
    }
  }

  @Test
  void canBeStartedAgain() {
    var database = acme.open();
    try (database) {
      database.start();
    }

    try (database) {
      database.start();

      int orders = database.asTenant(Acme.of(Acme.ANN), tx -> tx.dsl().fetchCount(ORDERS));
      assertThat(orders).isZero();
    }
  }

  @Test
  void requiresATableDeclaration() {
    assertThatThrownBy(this::injector)
        .isInstanceOf(CreationException.class)
        .hasMessageContaining("TableDeclaration");
  }

  @Test
  void connectsOnlyWhenStarted() {
    var transactions = injector(new OrdersModule()).getInstance(Transactions.class);

    assertThatThrownBy(() -> transactions.asTenant(Acme.of(Acme.ANN), tx -> 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the database is not started, or closed again");
  }

  private Injector injector(Module... modules) {
    return Guice.createInjector(
        binder -> {
          binder.install(new SecureDbModule(acme.config()));
          for (var module : modules) {
            binder.install(module);
          }
        });
  }
}
