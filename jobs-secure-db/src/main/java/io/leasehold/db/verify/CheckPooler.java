package io.leasehold.db.verify;

import io.leasehold.db.Finding;
import java.sql.SQLException;
import java.util.List;
import org.jooq.impl.DSL;

/**
 * Checks that there is no pooler between the program and the server where a session has to last.
 *
 * <p>The server reports its process id when a connection is opened. A pooler reports an id of its
 * own, whichever process serves the connection. The check is therefore certain, and does not depend
 * on whether two transactions happen to use the same process.
 */
final class CheckPooler {

  private CheckPooler() {}

  static List<Finding> in(RoleSession session) throws SQLException {
    return standsBefore(session)
        ? List.of(
            new Finding(
                "pooler",
                "listening connection",
                "goes through a pooler, which keeps no session: notifications would be lost",
                "set the listen URL to the server itself, or notifications to off"))
        : List.of();
  }

  static boolean standsBefore(RoleSession session) throws SQLException {
    var served = DSL.function(DSL.name("pg_backend_pid"), Integer.class);
    var process = session.dsl().select(served).fetchSingle().value1();
    return process == null || process != session.processNamed();
  }
}
