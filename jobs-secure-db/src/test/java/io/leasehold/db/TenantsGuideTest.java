package io.leasehold.db;

import static io.leasehold.db.acme.Tables.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.Records.mapping;

import io.leasehold.jobs.SecurityContext;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of docs/guide/tenants.md. */
class TenantsGuideTest {

  @RegisterExtension static final Acme acme = new Acme();

  private record Order(String code, int total) {}

  @Test
  void aCallerReadsItsOwnTenantAndAnAuditorOthersToo() {
    var tenant = Acme.ANN;
    var subsidiaries = Set.of(Acme.BOB);

    var caller = SecurityContext.of("ann@acme.example", tenant).build();
    var auditor = SecurityContext.of("audit", tenant).reading(subsidiaries).build();

    assertThat(caller.readableTenants()).containsExactly(Acme.ANN);
    assertThat(auditor.readableTenants()).containsExactlyInAnyOrder(Acme.ANN, Acme.BOB);
  }

  @Test
  void aTransactionWritesAndReadsTheTenantsRows() {
    var caller = SecurityContext.of("ann@acme.example", Acme.ANN).build();
    var code = "A-1";
    var total = 10;
    try (var transactions = acme.open()) {
      Order placed =
          transactions.asTenant(
              caller,
              tx -> {
                tx.insert(ORDERS).set(ORDERS.CODE, code).set(ORDERS.TOTAL, total).execute();
                return tx.dsl()
                    .select(ORDERS.CODE, ORDERS.TOTAL)
                    .from(ORDERS)
                    .where(ORDERS.CODE.eq(code))
                    .fetchSingle(mapping(Order::new));
              });

      assertThat(placed).isEqualTo(new Order("A-1", 10));
    }
  }
}
