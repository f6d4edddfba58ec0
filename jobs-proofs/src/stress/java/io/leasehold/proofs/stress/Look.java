package io.leasehold.proofs.stress;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Looks at what is in the database. */
record Look(StressServer server) {

  /** A number. */
  long count(String sql) throws SQLException {
    try (var connection = server.connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /** Some rows, each in one line. */
  List<String> rows(String sql) throws SQLException {
    try (var connection = server.connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      var all = new ArrayList<String>();
      while (rows.next()) {
        all.add(rows.getString(1));
      }
      return all;
    }
  }

  /** Waits until a number is at least as great; answers whether it became so in time. */
  boolean awaitAtLeast(String sql, long least, Duration most) throws SQLException {
    var deadline = System.nanoTime() + most.toNanos();
    while (count(sql) < least) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      LockSupport.parkNanos(50_000_000);
    }
    return true;
  }
}
