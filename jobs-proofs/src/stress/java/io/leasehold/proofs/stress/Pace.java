package io.leasehold.proofs.stress;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * How late a thread is, that does nothing but wake when its time has come, start another one, and
 * ask the server for a number: what the machine could do at each moment of a proof.
 */
final class Pace implements AutoCloseable {

  private static final Duration EVERY = Duration.ofMillis(20);

  private final Queue<Turn> turns = new ConcurrentLinkedQueue<>();
  private final Connection connection;
  private final Thread thread;
  private volatile boolean ended;

  /**
   * One of its turns, by the true time in milliseconds.
   *
   * @param due when it should have been over, had it taken no time
   * @param done when it was over
   */
  private record Turn(long due, long done) {

    boolean overlaps(long from, long to) {
      return due <= to && done >= from;
    }

    long late() {
      return done - due;
    }
  }

  /** Begins to measure. */
  Pace(StressServer server) throws SQLException {
    connection = server.connect();
    thread = Thread.ofPlatform().daemon().name("pace").start(this::measure);
  }

  private void measure() {
    try {
      while (!ended) {
        var due = System.currentTimeMillis() + EVERY.toMillis();
        Thread.sleep(EVERY);
        Thread.ofVirtual().start(this::ask).join();
        turns.add(new Turn(due, System.currentTimeMillis()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void ask() {
    try (var statement = connection.createStatement()) {
      statement.execute("SELECT 1");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How late the latest turn was that fell into some time, in milliseconds. */
  long late(long from, long to) {
    return turns.stream()
        .filter(turn -> turn.overlaps(from, to))
        .mapToLong(Turn::late)
        .max()
        .orElse(0);
  }

  /** How late the latest turn of all was, in milliseconds. */
  long latest() {
    return turns.stream().mapToLong(Turn::late).max().orElse(0);
  }

  @Override
  public void close() throws SQLException {
    ended = true;
    while (thread.isAlive()) {
      LockSupport.parkNanos(5_000_000);
    }
    connection.close();
  }
}
