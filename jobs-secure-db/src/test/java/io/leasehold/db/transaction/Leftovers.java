package io.leasehold.db.transaction;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What a session has on it that it did not have when it was new. */
record Leftovers(Set<String> ofANewSession) {

  private static final String STATE =
      """
      SELECT 'setting ' || name || ' = ' || setting FROM pg_settings
        WHERE source NOT IN ('default', 'override')
      UNION ALL
      SELECT 'setting ' || name || ' = ' || current_setting(name, true)
        FROM (VALUES ('leasehold.tenants'), ('leasehold.seal'),
          ('backtrace_functions'), ('acme.leftover'), ('role'), ('session_authorization'), ('search_path'), ('transaction_isolation'),
          ('transaction_read_only')) custom (name)
        WHERE nullif(current_setting(name, true), '') IS NOT NULL
      UNION ALL
      SELECT 'user ' || current_user || ' as ' || session_user
      UNION ALL
      SELECT 'temporary table ' || relname FROM pg_class
        WHERE relpersistence = 't' AND pg_my_temp_schema() = relnamespace AND relkind = 'r'
      UNION ALL
      SELECT 'advisory lock ' || objid FROM pg_locks
        WHERE locktype = 'advisory' AND pid = pg_backend_pid()
      UNION ALL
      SELECT 'listening to ' || channel FROM pg_listening_channels() channel
      UNION ALL
      SELECT 'cursor ' || name FROM pg_cursors WHERE is_holdable
      UNION ALL
      SELECT 'prepared transaction ' || gid FROM pg_prepared_xacts
      """;

  /** Learns the clean state from an unused session. */
  static Leftovers measuredBy(Connection unused) throws SQLException {
    return new Leftovers(state(unused));
  }

  /** What is left on a session that is no transaction's at present. */
  List<String> on(Connection connection) throws SQLException {
    var left = state(connection);
    left.removeAll(ofANewSession);
    return List.copyOf(left);
  }

  private static Set<String> state(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(STATE)) {
      return new TreeSet<>(first(rows));
    } finally {
      connection.rollback();
    }
  }

  private static List<String> first(ResultSet rows) throws SQLException {
    var values = new ArrayList<String>();
    while (rows.next()) {
      values.add(rows.getString(1));
    }
    return values;
  }
}
