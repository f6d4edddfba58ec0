package io.leasehold.db.verify;

import static io.leasehold.db.schema.Tables.CLOCK_ADVICE;
import static io.leasehold.db.schema.Tables.ISOLATION_ADVICE;
import static io.leasehold.db.schema.Tables.ISOLATION_FINDINGS;
import static io.leasehold.db.schema.Tables.SESSION_FINDINGS;
import static org.jooq.impl.DSL.select;

import io.leasehold.db.Finding;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Record4;
import org.jooq.Records;
import org.jooq.Select;
import org.jooq.exception.DataAccessException;

/** Asks the database which of its rules are broken. */
final class CheckRules {

  private CheckRules() {}

  /** Those of every table, view, function, grant and role. */
  static List<Finding> ofIsolation(RoleSession session) {
    var found = ISOLATION_FINDINGS();
    return ask(session, select(found.RULE, found.OBJECT, found.PROBLEM, found.REMEDY).from(found));
  }

  /** Those of who the session is, and of how its server is set. */
  static List<Finding> ofSession(RoleSession session) {
    var found = SESSION_FINDINGS(session.login().role());
    return ask(session, select(found.RULE, found.OBJECT, found.PROBLEM, found.REMEDY).from(found));
  }

  /** What breaks no rule and could be better. */
  static List<Finding> adviceOf(RoleSession session) {
    var advice = ISOLATION_ADVICE();
    var found =
        new ArrayList<>(
            ask(
                session,
                select(advice.RULE, advice.OBJECT, advice.PROBLEM, advice.REMEDY).from(advice)));
    var clock = CLOCK_ADVICE();
    found.addAll(
        ask(session, select(clock.RULE, clock.OBJECT, clock.PROBLEM, clock.REMEDY).from(clock)));
    return found;
  }

  private static List<Finding> ask(
      RoleSession session, Select<Record4<String, String, String, String>> findings) {
    try {
      return session.dsl().fetch(findings).map(Records.mapping(Finding::new));
    } catch (DataAccessException e) {
      return List.of(NotMigrated.finding(session, e));
    }
  }
}
