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
      var order = version == null ? -1 : compare(version, SchemaVersion.VERSION);
      return order == 0 ? List.of() : List.of(finding(String.valueOf(version), order));
    } catch (DataAccessException e) {
      return List.of(NotMigrated.finding(session, e));
    }
  }

  private static Finding finding(String version, int order) {
    return new Finding(
        order < 0 ? "schema-behind" : "schema-ahead",
        "schema leasehold",
        "is at version %s, and this program needs %s".formatted(version, SchemaVersion.VERSION),
        order < 0 ? "migrate the database" : "start the newer program");
  }

  private static int compare(String left, String right) {
    return Long.compare(Long.parseLong(left), Long.parseLong(right));
  }
}
