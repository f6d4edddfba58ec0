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

/** Reads from the database which of its rules are broken. */
final class CheckRules {

  private CheckRules() {}

  /** Returns the findings about tables, views, functions, grants and roles. */
  static List<Finding> ofIsolation(RoleSession session) {
    var found = ISOLATION_FINDINGS();
    return ask(session, select(found.RULE, found.OBJECT, found.PROBLEM, found.REMEDY).from(found));
  }

  /** Returns the findings about the session's role, and about the settings of its server. */
  static List<Finding> ofSession(RoleSession session) {
    var found = SESSION_FINDINGS(session.login().role());
    return ask(session, select(found.RULE, found.OBJECT, found.PROBLEM, found.REMEDY).from(found));
  }

  /** Returns suggestions that are not rules. */
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
