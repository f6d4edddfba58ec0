package io.leasehold.db.verify;

import static io.leasehold.db.schema.Tables.ISOLATION_FINDINGS;

import io.leasehold.db.Finding;
import io.leasehold.db.schema.tables.IsolationFindings;
import java.util.List;
import org.jooq.Records;
import org.jooq.exception.DataAccessException;

/** Checks every table, view, function, grant and role of the database. */
final class CheckIsolation {

  private CheckIsolation() {}

  static List<Finding> in(RoleSession session) {
    IsolationFindings found = ISOLATION_FINDINGS();
    try {
      return session
          .dsl()
          .select(found.RULE, found.OBJECT, found.PROBLEM, found.REMEDY)
          .from(found)
          .fetch(Records.mapping(Finding::new));
    } catch (DataAccessException e) {
      return List.of(NotMigrated.finding(session, e));
    }
  }
}
