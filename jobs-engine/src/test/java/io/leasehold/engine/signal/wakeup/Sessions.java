package io.leasehold.engine.signal.wakeup;

import static org.awaitility.Awaitility.await;

import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;

/** What the server knows of a test's sessions, and of its jobs. */
final class Sessions {

  private Sessions() {}

  /** How many sessions of the test's database listen. */
  static int listening(TestDatabase database) throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'leasehold-listen'"
                    + " AND datname = current_database() AND state = 'idle'"
                    + " AND query NOT LIKE 'SET %' AND query <> ''")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  static void awaitListening(TestDatabase database, int sessions) {
    await().until(() -> listening(database) == sessions);
  }

  /** Leaves no unfinished job to the next test. */
  static void forgetJobs(TestDatabase database) throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement()) {
      statement.execute("TRUNCATE leasehold.ready, leasehold.scheduled, leasehold.lease CASCADE");
    }
  }
}
