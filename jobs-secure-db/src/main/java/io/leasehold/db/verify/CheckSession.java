package io.leasehold.db.verify;

import static io.leasehold.db.schema.Tables.SESSION_FINDINGS;

import io.leasehold.db.Finding;
import io.leasehold.db.schema.tables.SessionFindings;
import java.util.List;
import org.jooq.Records;
import org.jooq.exception.DataAccessException;

/** Checks who a session is, and how its server is set. */
final class CheckSession {

  private CheckSession() {}

  static List<Finding> inSession(RoleSession session) {
    SessionFindings found = SESSION_FINDINGS(session.login().role());
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
