package io.leasehold.migrations;

import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the migrations of a database to one process at a time. The server releases the lock when
 * that process dies.
 */
final class MigrationLock implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(MigrationLock.class);
  private static final long KEY = 0x6c65617365686f6cL; // "leasehol"
  private static final long RETRY_MILLIS = 100;

  private final Connection connection;

  private MigrationLock(Connection connection) {
    this.connection = connection;
  }

  /**
   * Waits for the lock.
   *
   * <p>It polls instead of blocking: a blocked statement holds a snapshot, and if the other process
   * builds an index concurrently, that index would in turn wait for the snapshot.
   */
  static MigrationLock of(Connection connection) throws SQLException {
    if (!ask("pg_try_advisory_lock", connection)) {
      log.info("another process migrates this database; waiting for it");
      do {
        pause();
      } while (!ask("pg_try_advisory_lock", connection));
    }
    return new MigrationLock(connection);
  }

  private static void pause() {
    try {
      Thread.sleep(RETRY_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MigrationException("interrupted while another process migrates", e);
    }
  }

  private static boolean ask(String function, Connection connection) throws SQLException {
    try (var statement = connection.prepareStatement("SELECT " + function + "(?)")) {
      statement.setLong(1, KEY);
      try (var result = statement.executeQuery()) {
        return result.next() && result.getBoolean(1);
      }
    }
  }

  /** Never throws: finished migrations stay applied, and the lock ends with its connection. */
  @Override
  public void close() {
    try {
      ask("pg_advisory_unlock", connection);
    } catch (SQLException e) {
      log.warn("the lock could not be given back; it ends with its connection", e);
    }
  }
}
