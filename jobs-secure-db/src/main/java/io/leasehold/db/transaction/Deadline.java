package io.leasehold.db.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends transactions that outlast their limit, for servers that cannot do it themselves. */
final class Deadline implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Deadline.class);

  private final ScheduledThreadPoolExecutor timer;

  Deadline() {
    timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("leasehold-deadline").factory());
    timer.setRemoveOnCancelPolicy(true);
  }

  /** Breaks the connection once the limit has passed, unless cancelled before. */
  ScheduledFuture<?> guard(Connection connection, Duration limit) {
    return timer.schedule(() -> end(connection), limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  // The cancellation frees the server at once; the broken connection lets nothing be committed.
  private static void end(Connection connection) {
    try {
      connection.unwrap(PGConnection.class).cancelQuery();
    } catch (SQLException e) {
      log.warn("a transaction past its limit could not be cancelled on the server", e);
    }
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      log.warn("a transaction past its limit could not be ended", e);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
