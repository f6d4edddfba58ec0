package io.leasehold.db.verify;

import io.leasehold.db.Finding;
import io.leasehold.db.schema.Routines;
import io.leasehold.db.schema.SchemaVersion;
import java.util.List;
import org.jooq.exception.DataAccessException;

/** Checks that the database has the schema that this program was built for. */
final class CheckSchemaVersion {

  private CheckSchemaVersion() {}

  static List<Finding> in(RoleSession session) {
    try {
      var version = session.dsl().select(Routines.schemaVersion()).fetchSingle().value1();
      if (SchemaVersion.VERSION.equals(version)) {
        return List.of();
      }
      var isAhead = version != null && numberOf(version) > numberOf(SchemaVersion.VERSION);
      return List.of(finding(String.valueOf(version), isAhead));
    } catch (DataAccessException e) {
      return List.of(NotMigrated.finding(session, e));
    }
  }

  private static Finding finding(String version, boolean isAhead) {
    return new Finding(
        isAhead ? "schema-ahead" : "schema-behind",
        "schema leasehold",
        "is at version %s, and this program needs %s".formatted(version, SchemaVersion.VERSION),
        isAhead ? "start the newer program" : "migrate the database");
  }

  // The text after the number identifies the set of functions, and does not say which of two sets
  // is newer.
  private static long numberOf(String version) {
    return Long.parseLong(version.substring(0, version.indexOf('-')));
  }
}
