package io.leasehold.db.policy;

import java.sql.Connection;
import java.sql.SQLException;

/** What a transaction says of its tenant. */
enum Settings {
  OWN,
  UNSET,
  EMPTY,
  MALFORMED;

  void on(Connection connection, String own) throws SQLException {
    switch (this) {
      case OWN -> set(connection, own);
      case UNSET -> {}
      case EMPTY -> set(connection, "");
      case MALFORMED -> set(connection, "%' OR true --");
    }
  }

  private static void set(Connection connection, String tenant) throws SQLException {
    try (var statement =
        connection.prepareStatement(
            "SELECT set_config('app.tenant_id', ?, true), set_config('app.readable_tenants', ?,"
                + " true)")) {
      statement.setString(1, tenant);
      statement.setString(2, tenant);
      statement.execute();
    }
  }
}
