package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.Acme.BOB;
import static io.leasehold.db.Acme.CAT;
import static io.leasehold.db.OpenAcme.order;
import static io.leasehold.db.acme.Tables.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.inline;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.TransactionOptions.Isolation;
import io.leasehold.db.connection.RolePool;
import io.leasehold.db.scope.DeclaredTables;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** However a transaction ended, the next user of its connection finds nothing of it. */
class PoolHygieneTest {

  private static final Logger log = LoggerFactory.getLogger(PoolHygieneTest.class);

  private static final int CHECK_OUTS =
      "full".equals(System.getProperty("leasehold.proof")) ? 10_000 : 2_000;
  private static final int THREADS = 6;
  private static final int CONNECTIONS = 3;
  private static final long SEED = Long.getLong("leasehold.seed", System.nanoTime());
  private static final List<TenantId> TENANTS = List.of(ANN, BOB, CAT);

  @RegisterExtension
  static final OpenAcme acme = new OpenAcme(limits -> limits.tenantConnections(CONNECTIONS));

  private static RolePool pool;
  private static RolePool engine;
  private static PooledTransactions transactions;
  private static Connection administrator;
  private static Leftovers leftovers;

  /** How a use of a connection ends, or what it leaves behind. */
  private enum Use {
    COMMIT(30),
    THROW(15),
    KEY_TAKEN(10),
    SWALLOWED_FAILURE(5),
    SERIALIZABLE(5),
    READ_ONLY(5),
    SAVEPOINT_UNDONE(5),
    LAZY_RESULT_LEFT_OPEN(5),
    STATEMENT_TIMEOUT(2),
    TRANSACTION_TIMEOUT(1),
    CANCELLED(3),
    KILLED(2),
    SETTING_LEFT(3),
    TENANT_LEFT(3),
    SEARCH_PATH_LEFT(2),
    ROLE_LEFT(2),
    LOCK_LEFT(4),
    LISTENING_LEFT(3),
    CURSOR_LEFT(3),
    TABLE_LEFT(2);

    private final int weight;

    Use(int weight) {
      this.weight = weight;
    }

    static Use any(Random random) {
      var all =
          IntStream.range(0, values().length)
              .boxed()
              .flatMap(i -> IntStream.range(0, values()[i].weight).mapToObj(_ -> values()[i]))
              .toList();
      return all.get(random.nextInt(all.size()));
    }
  }

  private final Map<Use, Integer> uses = new ConcurrentHashMap<>();
  private final Map<Use, Integer> failures = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<String> found = new ConcurrentLinkedQueue<>();
  private final Map<Integer, Integer> backends = new ConcurrentHashMap<>();

  @BeforeAll
  static void open() throws SQLException {
    var config = acme.config(acme.acme().database().jdbcUrl());
    var limits = Limits.of(config, acme.serverVersion(), true);
    pool = RolePool.ofTenants(config, false, limits.ofSession());
    engine = RolePool.ofEngine(config, false, limits.ofSession());
    transactions =
        new PooledTransactions(
            pool.dataSource(),
            engine.dataSource(),
            DeclaredTables.of(OpenAcme.TABLES),
            limits,
            false);
    administrator = acme.acme().database().connectAsAdministrator();
    try (var unused = pool.dataSource().getConnection()) {
      leftovers = Leftovers.measuredBy(unused);
    }
  }

  @AfterAll
  static void close() throws SQLException {
    transactions.close();
    pool.close();
    engine.close();
    administrator.close();
  }

  @Test
  void nothingIsLeftForTheNextUser() {
    var started = System.nanoTime();

    var random = new Random(SEED);
    var threads =
        IntStream.range(0, THREADS).mapToObj(_ -> start(new Random(random.nextLong()))).toList();
    threads.forEach(Threads::result);

    log.info(
        "seed {}, {} uses over {} sessions in {} ms; failed as meant: {} of {}",
        SEED,
        CHECK_OUTS,
        backends.size(),
        Duration.ofNanos(System.nanoTime() - started).toMillis(),
        failures,
        uses);
    assertThat(found).as("left behind, with seed %d", SEED).isEmpty();
    assertThat(uses).as("uses, with seed %d", SEED).containsOnlyKeys(Use.values());
    assertThat(failures)
        .as("failures, with seed %d", SEED)
        .containsOnlyKeys(
            Use.THROW,
            Use.KEY_TAKEN,
            Use.SWALLOWED_FAILURE,
            Use.SAVEPOINT_UNDONE,
            Use.STATEMENT_TIMEOUT,
            Use.TRANSACTION_TIMEOUT,
            Use.CANCELLED,
            Use.KILLED);
  }

  @Test
  void sessionsKeepTheirName() throws SQLException {
    for (int i = 0; i < CONNECTIONS; i++) {
      transactions.asTenant(Acme.of(ANN), tx -> tx.dsl().fetchCount(ORDERS));
    }

    try (var statement = administrator.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT DISTINCT application_name FROM pg_stat_activity"
                    + " WHERE usename = 'leasehold_tenant' AND datname = current_database()")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(1)).isEqualTo("leasehold-tenants");
      assertThat(rows.next()).isFalse();
    }
  }

  private FutureTask<Integer> start(Random random) {
    return Threads.start(
        () -> {
          for (int i = 0; i < CHECK_OUTS / THREADS + 1; i++) {
            look(pool.dataSource());
            use(Use.any(random), TENANTS.get(random.nextInt(TENANTS.size())));
          }
          return 0;
        });
  }

  private void look(DataSource pool) throws SQLException {
    try (var connection = pool.getConnection()) {
      found.addAll(leftovers.on(connection));
    }
  }

  private void use(Use use, TenantId tenant) {
    uses.merge(use, 1, Integer::sum);
    try {
      transactions.asTenant(
          Acme.of(tenant),
          options(use),
          tx -> {
            return run(use, tx);
          });
    } catch (JobsException | IllegalStateException e) {
      failures.merge(use, 1, Integer::sum);
    }
  }

  private static TransactionOptions options(Use use) {
    var defaults = TransactionOptions.defaults();
    return switch (use) {
      case SERIALIZABLE -> defaults.isolation(Isolation.SERIALIZABLE);
      case READ_ONLY -> defaults.asReadOnly();
      case STATEMENT_TIMEOUT -> defaults.statementTimeout(Duration.ofMillis(5));
      case TRANSACTION_TIMEOUT -> defaults.timeout(Duration.ofMillis(20));
      default -> defaults;
    };
  }

  private @Nullable Object run(Use use, ScopedTransaction tx) {
    return switch (use) {
      case COMMIT, SERIALIZABLE, READ_ONLY -> tx.dsl().fetchCount(ORDERS);
      case THROW -> throw new IllegalStateException("after " + order(tx, unique()));
      case KEY_TAKEN -> order(tx, "once") + order(tx, "once");
      case SWALLOWED_FAILURE -> swallow(tx);
      case SAVEPOINT_UNDONE -> tx.savepoint(part -> order(part, "once") + order(part, "once"));
      case LAZY_RESULT_LEFT_OPEN -> tx.selectFrom(ORDERS).fetchSize(1).fetchLazy().fetchNext();
      case STATEMENT_TIMEOUT, TRANSACTION_TIMEOUT -> call(tx, "pause", inline(5.0));
      case CANCELLED -> signalled("cancel", tx, backend(tx));
      case KILLED -> signalled("terminate", tx, backend(tx));
      case SETTING_LEFT ->
          call(tx, "leave_setting", inline("acme.leftover"), inline(tx.caller().toString()));
      case TENANT_LEFT ->
          call(
                  tx,
                  "leave_setting",
                  inline("leasehold.tenants"),
                  inline(tx.caller().tenant().toString()))
              + call(tx, "leave_setting", inline("leasehold.seal"), inline(BOB.toString()));
      case SEARCH_PATH_LEFT -> call(tx, "leave_setting", inline("search_path"), inline("acme"));
      case ROLE_LEFT -> call(tx, "leave_role");
      case LOCK_LEFT -> call(tx, "leave_lock", inline((long) backend(tx)));
      case LISTENING_LEFT -> call(tx, "leave_listening");
      case CURSOR_LEFT -> call(tx, "leave_cursor");
      case TABLE_LEFT -> call(tx, "leave_table");
    };
  }

  private static String unique() {
    return UUID.randomUUID().toString();
  }

  private static String call(ScopedTransaction tx, String function, Field<?>... arguments) {
    return String.valueOf(tx.dsl().fetchSingle(OpenAcme.call(function, arguments)).value1());
  }

  private static boolean swallow(ScopedTransaction tx) {
    try {
      return order(tx, "once") + order(tx, "once") > 2;
    } catch (JobsException e) {
      return true;
    }
  }

  // A function of the module: asked only where a use needs it, because after one the connection is
  // cleaned, and the plain end has to be seen as well.
  private int backend(ScopedTransaction tx) {
    var backend = Integer.parseInt(call(tx, "backend"));
    backends.merge(backend, 1, Integer::sum);
    return backend;
  }

  /** Runs a statement that the administrator interrupts while it runs. */
  private static String signalled(String signal, ScopedTransaction tx, int backend) {
    var _ = Threads.start(() -> signal(signal, backend));
    return call(tx, "pause", inline(5.0));
  }

  private static boolean signal(String signal, int backend) throws SQLException {
    synchronized (administrator) {
      try (var statement = administrator.createStatement()) {
        return statement.execute(
            """
            DO $$ BEGIN
              FOR attempt IN 1..1000 LOOP
                PERFORM pg_stat_clear_snapshot();
                EXIT WHEN EXISTS (SELECT FROM pg_stat_activity WHERE pid = %2$d AND wait_event = 'PgSleep');
                PERFORM pg_sleep(0.001);
              END LOOP;
              PERFORM pg_%1$s_backend(%2$d);
            END $$
            """
                .formatted(signal, backend));
      }
    }
  }
}
