package io.leasehold.migrations;

import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Makes the database choose the cheaper of two ways to prove tenants that its rights allow. The
 * choice changes when an administrator grants a right, or when a database is restored to another
 * server.
 */
final class ChooseTenantProof {

  // A database that has only been provisioned with roles may have no schema yet.
  private static final String IS_MIGRATED =
      "SELECT to_regprocedure('leasehold.choose_tenant_proof()') IS NOT NULL";

  private ChooseTenantProof() {}

  static void in(DataSource database) throws SQLException {
    try (var connection = database.getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(IS_MIGRATED)) {
      if (rows.next() && rows.getBoolean(1)) {
        statement.execute("SELECT leasehold.choose_tenant_proof()");
      }
    }
  }
}
