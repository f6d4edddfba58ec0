package io.leasehold.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.leasehold.db.DbConfig;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.TableDeclaration;
import io.leasehold.embedded.EmbeddedServer;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.Pooler;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jooq.Name;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions through PgBouncer in transaction mode. Skipped where it is not installed. */
class PooledTransactionsTest {

  private static final int TRANSACTIONS = 500;

  private static final Name OWN_TENANT = name("leasehold", "own_tenant");
  private static final Set<TableDeclaration> DECLARED =
      Set.of(new TableDeclaration.Callable(OWN_TENANT));

  @TempDir private Path folder;

  @Test
  void eachTransactionSeesOnlyItsOwnTenant() throws Exception {
    assumeTrue(Pooler.program().isPresent(), "PgBouncer is not installed");
    try (var server = EmbeddedServer.temporary(Map.of("fsync", "on"));
        var migrated = DoctorsDatabase.in(server);
        var pooler = migrated.pooler(folder);
        var database = SecureDatabase.of(config(pooler.jdbcUrl(migrated.name())), DECLARED);
        var threads = Executors.newFixedThreadPool(8)) {
      database.start();
      var seen =
          IntStream.range(0, TRANSACTIONS)
              .mapToObj(i -> threads.submit(() -> tenantSeen(database, new UUID(0, i % 20))))
              .toList();

      for (int i = 0; i < TRANSACTIONS; i++) {
        assertThat(seen.get(i).get()).isEqualTo(new UUID(0, i % 20).toString());
      }
    }
  }

  private static String tenantSeen(SecureDatabase database, UUID tenant) {
    var caller = SecurityContext.of("tester", new TenantId(tenant)).build();
    return database.asTenant(
        caller,
        tx -> {
          var first = ownTenant(tx);
          return first.equals(ownTenant(tx)) ? first : "changed";
        });
  }

  private static String ownTenant(ScopedTransaction tx) {
    return tx.dsl().select(function(OWN_TENANT, String.class)).fetchSingle().value1();
  }

  private static DbConfig config(String jdbcUrl) {
    var password = new Secret(DoctorsDatabase.PASSWORD);
    return DbConfig.of(jdbcUrl, password, password).notifications(false).build();
  }
}
