package io.leasehold.db.transaction;

import io.leasehold.db.connection.Session;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a session in the way its work ended: with a commit if it returned, with a rollback if it
 * threw.
 */
record TransactionEnd(Session session) {

  private static final Logger log = LoggerFactory.getLogger(TransactionEnd.class);

  /** Work that may throw a checked exception of its own. */
  @FunctionalInterface
  interface Work<T extends @Nullable Object, E extends Exception> {
    T run() throws E;
  }

  static TransactionEnd of(Session session) {
    return new TransactionEnd(session);
  }

  <T extends @Nullable Object, E extends Exception> T after(Work<T, E> work) throws E {
    var committed = false;
    try {
      var result = work.run();
      commit();
      committed = true;
      return result;
    } finally {
      try {
        if (!committed) {
          rollback();
        }
      } finally {
        close();
      }
    }
  }

  private void commit() {
    try {
      session.commit();
    } catch (SQLException e) {
      throw session.translateAtCommit(e);
    }
  }

  // The caller must see the exception of the work. If the connection is broken, the rollback fails,
  // and the server rolls back by itself.
  private void rollback() {
    try {
      session.rollback();
    } catch (SQLException e) {
      log.debug("the connection was lost before the rollback", e);
      session.discard();
    }
  }

  private void close() {
    try {
      session.close();
    } catch (SQLException e) {
      log.debug("the connection was lost before it was given back", e);
    }
  }
}
