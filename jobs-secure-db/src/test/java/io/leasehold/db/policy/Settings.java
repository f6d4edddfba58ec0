package io.leasehold.db.policy;

import io.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;

/** How a transaction enters its tenant. */
enum Settings {
  OWN,
  UNSET,
  EMPTY,
  MALFORMED;

  void on(Connection connection, TestDatabase database, String own) throws SQLException {
    switch (this) {
      case OWN -> database.enterTenant(connection, own);
      case UNSET -> {}
      case EMPTY -> database.enterTenant(connection, "");
      case MALFORMED -> database.enterTenant(connection, "abcdefgh");
    }
  }
}
