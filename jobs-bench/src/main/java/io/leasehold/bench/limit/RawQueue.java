package io.leasehold.bench.limit;

import io.leasehold.bench.Contender;
import io.leasehold.bench.Payload;
import io.leasehold.bench.Tally;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

/**
 * The least SQL that is still a durable queue with leases: one table, one index for claims, claims
 * and completions in batches of 100, finished rows kept. Uses raw JDBC, with a connection and
 * prepared statements for each thread.
 */
public final class RawQueue implements Contender {

  private static final String DEFINITION =
      """
      DROP SCHEMA IF EXISTS raw CASCADE;
      CREATE SCHEMA raw;
      CREATE SEQUENCE raw.token;
      CREATE TABLE raw.job (
        id uuid PRIMARY KEY DEFAULT uuidv7(), queue text NOT NULL, priority smallint NOT NULL,
        available_at timestamptz NOT NULL, payload json NOT NULL, state smallint NOT NULL DEFAULT 0,
        token bigint, locked_until timestamptz, attempts smallint NOT NULL DEFAULT 0,
        result json, finished_at timestamptz
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
        autovacuum_vacuum_cost_delay = 0);
      CREATE INDEX ready ON raw.job (queue, priority DESC, available_at, id) WHERE state = 0;
      """;

  private static final String INSERT =
      "INSERT INTO raw.job (queue, priority, available_at, payload)"
          + " VALUES ('default', 0, clock_timestamp(), ?::json) RETURNING id";

  private static final String INSERT_MANY =
      "INSERT INTO raw.job (queue, priority, available_at, payload)"
          + " SELECT 'default', 0, clock_timestamp(), payload::json"
          + " FROM unnest(?::text[]) AS payload"
          + " RETURNING id";

  private static final int ROWS_AT_ONCE = 1_000;

  private final BenchServer server;
  private final ThreadLocal<Inserts> inserts;
  private final List<Connection> connections = new ArrayList<>();
  private final List<RawWorker> workers = new ArrayList<>();
  private final Semaphore rung = new Semaphore(0);
  private final int threads;

  private RawQueue(BenchServer server, int threads) {
    this.server = server;
    this.threads = threads;
    this.inserts = ThreadLocal.withInitial(this::prepare);
  }

  /** Creates an empty queue that is processed by {@code threads} threads. */
  public static RawQueue emptied(BenchServer server, int threads) {
    server.execute(DEFINITION);
    return new RawQueue(server, threads);
  }

  @Override
  public String name() {
    return "limit";
  }

  private record Inserts(Connection connection, PreparedStatement one, PreparedStatement many) {}

  private Inserts prepare() {
    try {
      var connection = connect();
      return new Inserts(
          connection,
          connection.prepareStatement(INSERT),
          connection.prepareStatement(INSERT_MANY));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private synchronized Connection connect() throws SQLException {
    var connection = server.connect();
    connections.add(connection);
    return connection;
  }

  @Override
  public void submit(int number) {
    try {
      var insert = inserts.get().one();
      insert.setString(1, Payload.of(number).json());
      insert.executeQuery().close();
      rung.release();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void submitAll(int first, int count) {
    var statements = inserts.get();
    try {
      statements.connection().setAutoCommit(false);
      for (int i = 0; i < count; i += ROWS_AT_ONCE) {
        insertMany(statements, first + i, Math.min(ROWS_AT_ONCE, count - i));
      }
      statements.connection().commit();
      statements.connection().setAutoCommit(true);
      rung.release(threads);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void insertMany(Inserts statements, int first, int count) throws SQLException {
    var payloads =
        IntStream.range(first, first + count)
            .mapToObj(number -> Payload.of(number).json())
            .toArray(String[]::new);
    statements.many().setArray(1, statements.connection().createArrayOf("text", payloads));
    try (var ids = statements.many().executeQuery()) {
      while (ids.next()) {
        ids.getString(1);
      }
    }
  }

  @Override
  public void start(Tally tally) {
    for (int i = 0; i < threads; i++) {
      try {
        workers.add(RawWorker.start(connect(), rung, tally));
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public boolean isDone() {
    return server.number("SELECT count(*) FROM raw.job WHERE state < 2") == 0;
  }

  @Override
  public long succeeded() {
    return server.number("SELECT count(*) FROM raw.job WHERE state = 2 AND attempts = 1");
  }

  @Override
  public void stop() {
    workers.forEach(RawWorker::stop);
    workers.clear();
  }

  @Override
  public synchronized void close() {
    for (var connection : connections) {
      try {
        connection.close();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
