package io.leasehold.db.connection;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.postgresql.core.Parser;

/**
 * Lets a text reach the server only if it is one statement that reads or writes rows.
 *
 * <p>The DSL writes no others. This check is for text that gets past the DSL: PREPARE, DEALLOCATE,
 * EXECUTE, DO, SET, COMMIT and the like would change what the next transactions on the connection
 * run, and those belong to other tenants. In the server's grammar, no such statement begins with
 * one of the allowed words, and the server takes one statement at a time from the driver.
 */
final class PlainStatement {

  // The word must be at the very beginning, without a comment before it, so that the text is
  // unambiguous.
  private static final Pattern BEGINNING =
      Pattern.compile(
          "(?:select|insert|update|delete|with|values)\\b|\\(", Pattern.CASE_INSENSITIVE);

  private PlainStatement() {}

  /**
   * Returns the text.
   *
   * @throws JobsException with {@link ErrorCode#STATEMENT_REFUSED} if it is another kind of
   *     statement, or several
   */
  static String require(String sql) throws SQLException {
    if (!BEGINNING.matcher(sql).lookingAt() || !isSingle(sql)) {
      throw new JobsException(
          ErrorCode.STATEMENT_REFUSED,
          "only a single SELECT, INSERT, UPDATE, DELETE or VALUES can be sent in a transaction");
    }
    return sql;
  }

  // Uses the driver's own parser. Most texts have no semicolon, and need no parsing.
  private static boolean isSingle(String sql) throws SQLException {
    return sql.indexOf(';') < 0
        || Parser.parseJdbcSql(sql, true, true, true, false, true).size() == 1;
  }
}
