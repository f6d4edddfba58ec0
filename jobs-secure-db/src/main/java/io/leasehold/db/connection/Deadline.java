package io.leasehold.db.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends transactions that exceed their limit, for servers that cannot do so themselves. */
public final class Deadline implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Deadline.class);

  private final ScheduledThreadPoolExecutor timer;

  public Deadline() {
    timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("leasehold-deadline").factory());
    timer.setRemoveOnCancelPolicy(true);
  }

  /** Breaks the connection once the limit has passed, unless the guard is lifted before. */
  public Guard guard(Connection connection, Duration limit) {
    var guard = new Guard(connection);
    // A thread of its own, so that an unresponsive server delays no other deadline.
    var timeout =
        timer.schedule(
            () -> Thread.startVirtualThread(guard::expire),
            limit.toMillis(),
            TimeUnit.MILLISECONDS);
    guard.lifting = () -> timeout.cancel(false);
    return guard;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  /** Watches one transaction. */
  public static final class Guard {

    private final Connection connection;
    private final ReentrantLock lock = new ReentrantLock();

    private Runnable lifting = () -> {};
    private boolean lifted;
    private volatile boolean expired;

    private Guard(Connection connection) {
      this.connection = connection;
    }

    /**
     * Lifts the limit of the transaction, unless it is too late.
     *
     * <p>If the end has begun, this waits for it: otherwise it could cancel a statement of the
     * connection's next user.
     *
     * @return whether the limit was lifted in time
     */
    boolean lift() {
      lifting.run();
      lock.lock();
      try {
        lifted = true;
        return !expired;
      } finally {
        lock.unlock();
      }
    }

    boolean isExpired() {
      return expired;
    }

    // The cancellation frees the server at once, and breaking the connection prevents any commit.
    private void expire() {
      lock.lock();
      try {
        if (!lifted) {
          expired = true;
          cancel();
          abort();
        }
      } finally {
        lock.unlock();
      }
    }

    private void cancel() {
      try {
        connection.unwrap(PGConnection.class).cancelQuery();
      } catch (SQLException e) {
        log.warn("a transaction past its limit could not be cancelled on the server", e);
      }
    }

    private void abort() {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        log.warn("a transaction past its limit could not be ended", e);
      }
    }
  }
}
