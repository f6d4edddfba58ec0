package io.leasehold.db.transaction;

import java.sql.ResultSet;
import java.sql.Statement;
import org.jooq.tools.jdbc.DefaultResultSet;

/** Rows that lead back to their guarded statement only. */
final class GuardedRows extends DefaultResultSet {

  GuardedRows(ResultSet rows, Statement guarded) {
    super(rows, guarded);
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    throw GuardedStatement.refusal("unwrap");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
