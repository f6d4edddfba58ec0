package io.leasehold.proofs.explore;

import io.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.postgresql.PGConnection;

/** A connection, and the thread that uses it, which stops where it is told to. */
final class Session implements AutoCloseable {

  /** What the thread does. */
  enum State {
    RUNNING,
    PAUSED,
    DONE
  }

  private final Connection connection;
  private final TestDatabase database;
  private final int pid;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private State state = State.DONE;
  private String answer = "";

  Session(Connection connection, TestDatabase database) throws SQLException {
    this.connection = connection;
    this.database = database;
    this.pid = connection.unwrap(PGConnection.class).getBackendPID();
  }

  Connection connection() {
    return connection;
  }

  /** Enters a tenant in the running transaction. */
  void enter(String tenant) {
    try {
      database.enterTenant(connection, tenant);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The server's process for this connection. */
  int pid() {
    return pid;
  }

  /** Starts some work, which ends with an answer; an exception is one as well. */
  void start(Callable<String> work) {
    set(State.RUNNING);
    Thread.ofPlatform().daemon().name("session " + pid).start(() -> end(answer(work)));
  }

  private static String answer(Callable<String> work) {
    try {
      return work.call();
    } catch (Exception e) { // The edge of an operation: that it failed is what it answers.
      return Answer.error(e);
    }
  }

  private void end(String result) {
    lock.lock();
    try {
      answer = result;
    } finally {
      lock.unlock();
    }
    set(State.DONE);
  }

  /** Stops the session's own thread until {@link #goOn}. */
  void pause() {
    lock.lock();
    try {
      set(State.PAUSED);
      while (state == State.PAUSED) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  void goOn() {
    set(State.RUNNING);
  }

  private void set(State next) {
    lock.lock();
    try {
      state = next;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** What the thread does once it does not run, or after a moment. */
  State look(long nanos) throws InterruptedException {
    lock.lock();
    try {
      var left = nanos;
      while (state == State.RUNNING && left > 0) {
        left = changed.awaitNanos(left);
      }
      return state;
    } finally {
      lock.unlock();
    }
  }

  String answer() {
    lock.lock();
    try {
      return answer;
    } finally {
      lock.unlock();
    }
  }

  /** Sets a variable of the session. */
  void set(String variable, String value) throws SQLException {
    try (var statement = connection.prepareStatement("SELECT set_config(?, ?, false)")) {
      statement.setString(1, variable);
      statement.setString(2, value);
      statement.execute();
    }
  }

  @Override
  public void close() throws SQLException {
    connection.abort(Runnable::run);
    connection.close();
  }

  /** A moment: as long as most statements take. */
  static long moment() {
    return TimeUnit.MICROSECONDS.toNanos(300);
  }
}
