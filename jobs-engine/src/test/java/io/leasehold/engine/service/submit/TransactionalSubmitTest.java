package io.leasehold.engine.service.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.service.query.OpenService;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random purchases: some are rolled back, as a whole or to a savepoint, and some are cut off by the
 * end of their session or the death of their process. Jobs are there for what was committed, and no
 * others.
 */
class TransactionalSubmitTest {

  @RegisterExtension
  static final TestDatabase database =
      new TestDatabase("/io/leasehold/engine/service/submit/purchases.sql");

  private static final long SEED = Long.getLong("leasehold.seed", new Random().nextLong());

  private static final int PURCHASES =
      "full".equals(System.getProperty("leasehold.proof")) ? 10_000 : 2_500;
  private static final int THREADS = 4;
  private static final int PROCESSES = 3;
  private static final Duration DEATHS_EVERY = Duration.ofMillis(100);

  // What the purchases name, and what there is.
  private static final String NAMED =
      "SELECT tenant_id, string_to_table(jobs, E'\\n') FROM shop.purchase";
  private static final String STORED =
      "SELECT tenant_id, id || ' ' || (input #>> '{}') FROM leasehold.job";
  private static final String REPEATED =
      "SELECT DISTINCT tenant_id, string_to_table(repeats, E'\\n') FROM shop.purchase";
  private static final String IDS = "SELECT tenant_id, id::text FROM leasehold.job";
  private static final String WAITING =
      "SELECT tenant_id, id::text FROM leasehold.ready"
          + " UNION ALL SELECT tenant_id, id::text FROM leasehold.scheduled";
  private static final String KEYED =
      "SELECT tenant_id, id, metadata ->> 'key' FROM leasehold.job WHERE metadata IS NOT NULL";
  private static final String KEYS = "SELECT tenant_id, id, key FROM leasehold.job_key";

  // Those of the pools; what looks at the database when a pool is opened is left alone.
  private static final String OPEN =
      "FROM pg_stat_activity WHERE datname = current_database()"
          + " AND application_name = 'leasehold-tenants' AND xact_start IS NOT NULL";

  private final Map<Shopper.End, Integer> ends = new ConcurrentHashMap<>();
  private final Random random = new Random(SEED);
  private Connection administrator;
  private int endedSessions;
  private int caught;

  @BeforeEach
  void connect() throws SQLException {
    administrator = database.connectAsAdministrator();
  }

  @AfterEach
  void disconnect() throws SQLException {
    administrator.close();
  }

  @Test
  void onlyCommittedTransactionsSubmitJobs() throws Exception {
    shopAmidDeaths();

    assertThat(ends.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(PURCHASES);
    // Which client a death meets is chance: one here, or one of another process.
    assertThat(ends.keySet()).containsAll(EnumSet.complementOf(EnumSet.of(Shopper.End.BROKEN)));
    assertThat(endedSessions).isPositive();
    assertThat(caught).isGreaterThanOrEqualTo(PROCESSES);
    assertThat(rows("SELECT DISTINCT tenant_id FROM shop.purchase")).hasSize(3);
    assertSame(NAMED, STORED, "jobs");
    assertSame(IDS, WAITING, "places");
    assertSame(KEYED, KEYS, "keys");
    assertThat(rows("(%s) EXCEPT (%s)".formatted(REPEATED, IDS))).isEmpty();
    assertThat(rows(REPEATED)).isNotEmpty();
  }

  private void shopAmidDeaths() throws Exception {
    var doomed = new ArrayList<DoomedShopper>();
    try (var service = OpenService.on(database, EngineConfig.defaults(), new ShopperMain.Shop());
        var threads = Executors.newFixedThreadPool(THREADS)) {
      for (int i = 0; i < PROCESSES; i++) {
        doomed.add(doomed(i));
      }
      var shopping = shop(service, threads);
      await()
          .atMost(Duration.ofMinutes(3))
          .pollInterval(DEATHS_EVERY)
          .until(
              () -> {
                endASession();
                kill(doomed);
                return shopping.stream().allMatch(Future::isDone)
                    && doomed.stream().noneMatch(DoomedShopper::isAlive);
              });
      for (var shopper : shopping) {
        shopper.get();
      }
    } finally {
      for (var process : doomed) {
        process.close();
      }
    }
    await().until(() -> rows("SELECT pid %s".formatted(OPEN)).isEmpty());
    System.out.printf(
        "purchases %s, %d sessions ended, %d transactions of processes cut off, seed %d%n",
        ends, endedSessions, caught, SEED);
  }

  private DoomedShopper doomed(int i) throws IOException {
    return DoomedShopper.start(
        database.jdbcUrl(), "process " + i, random.nextLong(), 20 + random.nextInt(100));
  }

  private List<Future<?>> shop(OpenService service, ExecutorService threads) {
    var shopping = new ArrayList<Future<?>>();
    for (int i = 0; i < THREADS; i++) {
      var shopper =
          new Shopper(
              service.jobs(),
              service.transactions(),
              "thread " + i,
              new Random(random.nextLong()),
              _ -> {});
      shopping.add(threads.submit(() -> shop(shopper)));
    }
    return shopping;
  }

  private void shop(Shopper shopper) {
    for (int i = 0; i < PURCHASES / THREADS; i++) {
      ends.merge(shopper.buy(), 1, Integer::sum);
    }
  }

  // Whatever transaction is open at this moment, in the test's process or another. It is short: a
  // single look seldom meets one.
  private void endASession() throws SQLException {
    var ended = List.<String>of();
    for (int look = 0; look < 20 && ended.isEmpty(); look++) {
      ended = rows("SELECT pg_terminate_backend(pid) %s ORDER BY random() LIMIT 1".formatted(OPEN));
    }
    endedSessions += ended.size();
  }

  private void kill(List<DoomedShopper> doomed) throws Exception {
    for (var process : doomed) {
      if (process.isAlive()) {
        caught += process.killAmidTransactions(administrator);
      }
    }
  }

  private void assertSame(String one, String other, String what) throws SQLException {
    assertThat(rows("(%s) EXCEPT ALL (%s)".formatted(one, other)))
        .as("missing %s, with seed %d", what, SEED)
        .isEmpty();
    assertThat(rows("(%s) EXCEPT ALL (%s)".formatted(other, one)))
        .as("%s too many, with seed %d", what, SEED)
        .isEmpty();
  }

  private List<String> rows(String sql) throws SQLException {
    var found = new ArrayList<String>();
    try (var statement = administrator.createStatement();
        var rows = statement.executeQuery("SELECT found::text FROM (%s) AS found".formatted(sql))) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    return found;
  }
}
