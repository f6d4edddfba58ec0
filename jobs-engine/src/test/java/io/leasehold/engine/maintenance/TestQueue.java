package io.leasehold.engine.maintenance;

import com.google.inject.Guice;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.db.Transactions;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineModule;
import io.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A queue without workers, whose rows a test sets and looks at past all policies. */
public final class TestQueue implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {

  public static final UUID TENANT = new UUID(0, 1);

  /** What its jobs are for. */
  public static final String HANDLER = "gts.x.core.jobs.handler.v1~acme.tests.queue.work.v1";

  private static final List<String> TABLES =
      List.of(
          "job",
          "outcome",
          "ready",
          "scheduled",
          "lease",
          "attempt",
          "job_key",
          "progress",
          "event",
          "step",
          "checkpoint",
          "output",
          "waiting",
          "dependency",
          "batch_job",
          "cancel_request",
          "mirror_record",
          "worker",
          "leader",
          "handler",
          "schedule",
          "tenant_queue",
          "dependency_note",
          "mirror_behind");

  private final TestDatabase database;
  private @Nullable SecureDatabase opened;

  /**
   * One in which scripts were run.
   *
   * @param scripts SQL files on the class path
   */
  public TestQueue(String... scripts) {
    this.database = new TestDatabase(scripts);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws SQLException {
    database.beforeAll(context);
    var modules = List.of(new SecureDbModule(config()), new EngineModule(EngineConfig.defaults()));
    opened = Guice.createInjector(modules).getInstance(SecureDatabase.class);
    opened.start();
  }

  @Override
  public void beforeEach(ExtensionContext context) throws SQLException {
    for (var table : TABLES) {
      run("DELETE FROM leasehold." + table);
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws SQLException {
    opened().close();
    database.afterAll(context);
  }

  /** How an engine reaches it. */
  public DbConfig config() {
    var secret = new Secret(TestDatabase.PASSWORD);
    return DbConfig.of(database.jdbcUrl(), secret, secret).fsyncRequired(false).build();
  }

  public Transactions transactions() {
    return opened();
  }

  private SecureDatabase opened() {
    if (opened == null) {
      throw new IllegalStateException("the queue is open while the tests of its class run");
    }
    return opened;
  }

  /** Today, in UTC. */
  public static LocalDate today() {
    return LocalDate.now(ZoneOffset.UTC);
  }

  /** A random id as it was made that day. */
  public static UUID idOf(LocalDate day) {
    var random = UUID.randomUUID();
    var noon = day.atTime(12, 0).toInstant(ZoneOffset.UTC).toEpochMilli();
    return new UUID(
        (noon << 16) | 0x7000 | (random.getMostSignificantBits() & 0xfff),
        random.getLeastSignificantBits());
  }

  /** Makes the partitions of a day, unless there are some. */
  public void prepare(LocalDate day) throws SQLException {
    var away = (int) (day.toEpochDay() - today().toEpochDay());
    ask("SELECT leasehold.prepare_days(?, ?)", away, away);
  }

  /** Inserts a job without a state, and answers its id. */
  public UUID job(LocalDate day) throws SQLException {
    var id = idOf(day);
    run(
        """
        INSERT INTO leasehold.job (tenant_id, id, handler_id, input, queue, priority, max_attempts,
          principal) VALUES (?, ?, 'handler', '{}', 'default', 0, 3, 'ann')\
        """,
        TENANT,
        id);
    return id;
  }

  public UUID ready(LocalDate day) throws SQLException {
    var id = job(day);
    run(
        """
        INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at)
        VALUES (?, ?, 'default', 0, 1, now())\
        """,
        TENANT,
        id);
    return id;
  }

  /** Inserts a job that is due in {@code millis} milliseconds. */
  public UUID scheduled(LocalDate day, int millis) throws SQLException {
    var id = job(day);
    run(
        """
        INSERT INTO leasehold.scheduled (tenant_id, id, queue, priority, attempts, available_at)
        VALUES (?, ?, 'default', 0, 1, now() + ? * interval '1 ms')\
        """,
        TENANT,
        id,
        millis);
    return id;
  }

  /** Inserts a job that waits for others. */
  public UUID waiting(LocalDate day) throws SQLException {
    var id = job(day);
    run(
        """
        INSERT INTO leasehold.waiting (tenant_id, id, queue, priority, attempts, available_at)
        VALUES (?, ?, 'default', 0, 0, now())\
        """,
        TENANT,
        id);
    return id;
  }

  /** Inserts a running job, whose lease expires in {@code seconds} seconds. */
  public UUID leased(LocalDate day, UUID worker, int attempt, String whenLost, int seconds)
      throws SQLException {
    var id = job(day);
    run(
        """
        INSERT INTO leasehold.lease (tenant_id, id, worker_id, token, attempt, locked_until,
          when_lost, attempt_started_at, started_at)
        VALUES (?, ?, ?, nextval('leasehold.lease_token'), ?, now() + ? * interval '1 s', ?,
          now() - interval '1 h', now() - interval '1 h')\
        """,
        TENANT,
        id,
        worker,
        attempt,
        seconds,
        whenLost);
    return id;
  }

  /** Inserts a job that ended {@code daysAgo} days ago. */
  public UUID ended(LocalDate day, String status, int daysAgo) throws SQLException {
    var id = job(day);
    run(
        """
        INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, attempts, token)
        VALUES (?, ?, ?, now() - ? * interval '1 day', 1, nextval('leasehold.lease_token'))\
        """,
        TENANT,
        id,
        status,
        daysAgo);
    return id;
  }

  /** Gives a job one row of each kind that may belong to one. */
  public void furnish(UUID id) throws SQLException {
    run("INSERT INTO leasehold.job_key VALUES (?, ?, ?, ?)", TENANT, HANDLER, "key " + id, id);
    run("INSERT INTO leasehold.progress VALUES (?, ?, 1, 50, 'half', now())", TENANT, id);
    run("INSERT INTO leasehold.event VALUES (?, ?, 1, 1, now(), 'log', '{}')", TENANT, id);
    run("INSERT INTO leasehold.step VALUES (?, ?, 'a', 1, '1', 1, now())", TENANT, id);
    run("INSERT INTO leasehold.checkpoint VALUES (?, ?, 1, '1', now())", TENANT, id);
    run(
        "INSERT INTO leasehold.output VALUES (?, ?, 'a', 1, 'output-1-0', 1, '', 'a/b', now())",
        TENANT,
        id);
    run(
        "INSERT INTO leasehold.dependency VALUES (?, ?, gen_random_uuid(), false, 'met')",
        TENANT,
        id);
    run("INSERT INTO leasehold.batch_job VALUES (?, ?, gen_random_uuid(), false)", TENANT, id);
    run("INSERT INTO leasehold.mirror_record VALUES (?, 1, gen_random_uuid(), ?)", TENANT, id);
    run(
        """
        INSERT INTO leasehold.attempt (tenant_id, id, token, attempt, status, ended_at)
        VALUES (?, ?, 1, 1, 'failed', now())\
        """,
        TENANT,
        id);
    request(id, false, 0);
  }

  /** Inserts a request to cancel the job, made {@code secondsAgo} seconds ago. */
  public void request(UUID id, boolean thenDelete, int secondsAgo) throws SQLException {
    run(
        """
        INSERT INTO leasehold.cancel_request
        VALUES (?, ?, now() - ? * interval '1 s', 'ann', ?)\
        """,
        TENANT,
        id,
        secondsAgo,
        thenDelete);
  }

  /** How many rows of each table know the job. Tables that have none are left out. */
  public Map<String, Long> traces(UUID id) throws SQLException {
    var traces = new TreeMap<String, Long>();
    for (var table : TABLES.subList(0, TABLES.indexOf("worker"))) {
      var rows = (Long) ask("SELECT count(*) FROM leasehold." + table + " WHERE id = ?", id).get(0);
      if (rows > 0) {
        traces.put(table, rows);
      }
    }
    return traces;
  }

  /** Runs a statement, in a transaction of its own. */
  public int run(String sql, @Nullable Object... values) throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = prepare(connection, sql, values)) {
      return statement.executeUpdate();
    }
  }

  /** The first column of a query's rows. */
  public List<Object> ask(String sql, @Nullable Object... values) throws SQLException {
    try (var connection = database.connectAsAdministrator()) {
      return ask(connection, sql, values);
    }
  }

  /** The first column of a query's rows. */
  public static List<Object> ask(Connection connection, String sql, @Nullable Object... values)
      throws SQLException {
    try (var statement = prepare(connection, sql, values);
        var rows = statement.executeQuery()) {
      var all = new ArrayList<Object>();
      while (rows.next()) {
        all.add(Objects.requireNonNullElse(rows.getObject(1), ""));
      }
      return all;
    }
  }

  private static PreparedStatement prepare(
      Connection connection, String sql, @Nullable Object... values) throws SQLException {
    var statement = connection.prepareStatement(sql);
    for (var i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  /** Opens a transaction of the tenant, for the caller to end. */
  public Connection asTenant() throws SQLException {
    var connection = database.connectAs("leasehold_tenant");
    connection.setAutoCommit(false);
    database.enterTenant(connection, TENANT.toString());
    ask(connection, "SELECT set_config('statement_timeout', '20s', true)");
    return connection;
  }

  /** Opens a session that row level security does not apply to. */
  public Connection asAdministrator() throws SQLException {
    return database.connectAsAdministrator();
  }

  /** Opens a transaction of the engine, for the caller to end. */
  public Connection asEngine() throws SQLException {
    var connection = database.connectAs("leasehold_engine");
    connection.setAutoCommit(false);
    return connection;
  }

  /** Whether any session waits for a lock that the connection's server process has. */
  public boolean isWaitedFor(Connection connection) throws SQLException {
    var pid = ask(connection, "SELECT pg_backend_pid()").get(0);
    return !ask("SELECT pid FROM pg_stat_activity WHERE ? = ANY (pg_blocking_pids(pid))", pid)
        .isEmpty();
  }
}
