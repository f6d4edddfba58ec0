package io.leasehold.bench.limit;

import io.leasehold.bench.Payload;
import io.leasehold.bench.Tally;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Claims a hundred jobs, runs them, and stores their ends, on its own thread and connection. */
final class RawWorker implements Runnable {

  private static final int AT_ONCE = 100;
  private static final long POLL_MILLIS = 100;

  private static final String CLAIM =
      """
      WITH picked AS MATERIALIZED (
        SELECT ctid FROM raw.job
        WHERE queue = 'default' AND state = 0 AND available_at <= now()
        ORDER BY priority DESC, available_at, id LIMIT ? FOR UPDATE SKIP LOCKED),
      drawn AS MATERIALIZED (SELECT nextval('raw.token') AS token)
      UPDATE raw.job
      SET state = 1, token = drawn.token, locked_until = now() + interval '60 s',
        attempts = attempts + 1
      FROM picked, drawn WHERE job.ctid = picked.ctid
      RETURNING job.id, job.token, job.payload\
      """;

  private static final String COMPLETE =
      """
      UPDATE raw.job SET state = 2, result = done.result, finished_at = now(), locked_until = NULL
      FROM unnest(?::uuid[], ?::json[]) AS done (id, result)
      WHERE job.id = done.id AND job.state = 1 AND job.token = ?\
      """;

  private final Connection connection;
  private final PreparedStatement claim;
  private final PreparedStatement complete;
  private final Semaphore rung;
  private final Tally tally;
  private final Thread thread = new Thread(this, "raw worker");
  private volatile boolean working = true;

  private RawWorker(Connection connection, Semaphore rung, Tally tally) throws SQLException {
    this.connection = connection;
    this.claim = connection.prepareStatement(CLAIM);
    this.complete = connection.prepareStatement(COMPLETE);
    this.rung = rung;
    this.tally = tally;
  }

  static RawWorker start(Connection connection, Semaphore rung, Tally tally) throws SQLException {
    var worker = new RawWorker(connection, rung, tally);
    worker.thread.start();
    return worker;
  }

  void stop() {
    working = false;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private record Claimed(long token, List<UUID> ids, List<String> payloads) {}

  @Override
  public void run() {
    try {
      while (working) {
        var claimed = claim();
        if (claimed.ids().isEmpty()) {
          await();
        } else {
          claimed.payloads().forEach(payload -> tally.run(Payload.number(payload)));
          complete(claimed);
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void await() throws InterruptedException {
    if (rung.tryAcquire(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
      rung.drainPermits();
    }
  }

  private Claimed claim() throws SQLException {
    claim.setInt(1, AT_ONCE);
    var ids = new ArrayList<UUID>(AT_ONCE);
    var payloads = new ArrayList<String>(AT_ONCE);
    long token = 0;
    try (var rows = claim.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getObject(1, UUID.class));
        token = rows.getLong(2);
        payloads.add(rows.getString(3));
      }
    }
    return new Claimed(token, ids, payloads);
  }

  private void complete(Claimed claimed) throws SQLException {
    var results = Collections.nCopies(claimed.ids().size(), "true").toArray();
    complete.setArray(1, connection.createArrayOf("uuid", claimed.ids().toArray()));
    complete.setArray(2, connection.createArrayOf("json", results));
    complete.setLong(3, claimed.token());
    var completed = complete.executeUpdate();
    if (completed != claimed.ids().size()) {
      throw new IllegalStateException(
          "%d of %d jobs completed".formatted(completed, claimed.ids().size()));
    }
  }
}
