package io.leasehold.db.verify;

import io.leasehold.db.Finding;
import java.util.Set;
import org.jooq.exception.DataAccessException;

/** Explains why the database's own functions could not be called. */
final class NotMigrated {

  // A missing schema, function or table, or missing rights on them.
  private static final Set<String> STATES = Set.of("3F000", "42883", "42P01", "42501");

  private NotMigrated() {}

  static Finding finding(RoleSession session, DataAccessException e) {
    if (!STATES.contains(e.sqlState())) {
      throw e;
    }
    return new Finding(
        "schema-missing",
        "schema leasehold",
        "is not there for %s, or older than this program".formatted(session.login().user()),
        "migrate the database");
  }
}
