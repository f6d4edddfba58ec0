package io.leasehold.bench.load;

import static io.leasehold.bench.load.Documents.PLAIN;
import static io.leasehold.bench.load.Documents.PROTECTED;

import io.leasehold.bench.Comparison;
import io.leasehold.bench.Report;
import io.leasehold.bench.Way;
import io.leasehold.bench.limit.PlainReads;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.TableDeclaration;
import io.leasehold.db.Transactions;
import io.leasehold.embedded.EmbeddedServer;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.migrations.MigrationConfig;
import io.leasehold.migrations.Migrator;
import io.leasehold.migrations.ModuleMigrations;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Measures the cost of a tenant's transaction compared with a plain one with the same statement:
 * begin, read a row by its key, commit.
 *
 * <p>The plain transaction is the least that jOOQ and a pool can do: no tenants, no limits, no
 * policy on the table, the owner bound by hand.
 */
public final class TenantTransactionCost {

  private static final String PASSWORD = "bench";
  private static final Comparison COMPARISON = new Comparison(15, Duration.ofSeconds(1), 2);

  private TenantTransactionCost() {}

  public static void main(String... args)
      throws IOException, InterruptedException, ExecutionException {
    try (var server = EmbeddedServer.temporary(Map.of("shared_buffers", "1GB", "fsync", "on"));
        var database = database(server);
        var reads = new PlainReads(server.jdbcUrl("postgres"), "leasehold_owner", PASSWORD)) {
      var plain = Way.of("plain transaction", () -> readPlain(reads));
      var tenant = Way.of("tenant transaction", () -> readAsTenant(database));
      COMPARISON.run(plain, tenant);
      var report = Report.of("tenant-transaction").add(COMPARISON.inWords());
      report.table("way", "per second, median", "least", "most");
      for (var way : List.of(plain, tenant)) {
        report.row(
            way.name(),
            Report.number(way.median(), 0),
            Report.number(way.least(), 0),
            Report.number(way.most(), 0));
      }
      report
          .add("", "tenant to plain: " + Report.number(tenant.ratioTo(plain), 2))
          .write(Path.of("docs", "bench"));
    }
  }

  private static SecureDatabase database(EmbeddedServer server) {
    var passwords =
        Map.of(
            "leasehold_owner",
            PASSWORD,
            "leasehold_tenant",
            PASSWORD,
            "leasehold_engine",
            PASSWORD);
    var url = server.jdbcUrl("postgres");
    new Migrator(new MigrationConfig(url, EmbeddedServer.SUPERUSER, server.password(), passwords))
        .and(ModuleMigrations.of("bench", "classpath:io/leasehold/bench/load/documents"))
        .migrate();
    var secret = new Secret(PASSWORD);
    var declared = Set.<TableDeclaration>of(new TableDeclaration.Scoped(PROTECTED));
    var database = SecureDatabase.of(DbConfig.of(url, secret, secret).build(), declared);
    database.start();
    return database;
  }

  private static void readPlain(PlainReads plain) {
    requireFound(
        plain.read(
            tx ->
                tx.select(PLAIN.title)
                    .from(PLAIN)
                    .where(PLAIN.owner.eq(randomTenant().value()), PLAIN.id.eq(randomId()))
                    .fetch()
                    .size()));
  }

  private static void readAsTenant(Transactions transactions) {
    var caller = SecurityContext.of("bench", randomTenant()).build();
    requireFound(
        transactions.asTenant(
            caller,
            tx ->
                tx.dsl()
                    .select(PROTECTED.title)
                    .from(PROTECTED)
                    .where(PROTECTED.id.eq(randomId()))
                    .fetch()
                    .size()));
  }

  private static void requireFound(int rows) {
    if (rows != 1) {
      throw new IllegalStateException("read %d rows, and not the one".formatted(rows));
    }
  }

  private static TenantId randomTenant() {
    return new TenantId(new UUID(0, ThreadLocalRandom.current().nextInt(Documents.TENANTS)));
  }

  private static int randomId() {
    return ThreadLocalRandom.current().nextInt(Documents.PER_TENANT);
  }
}
