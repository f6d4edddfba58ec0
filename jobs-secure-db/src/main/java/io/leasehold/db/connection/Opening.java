package io.leasehold.db.connection;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * What is sent before a transaction's first statement, in the same round trip.
 *
 * @param sql statements, each ended by a semicolon; or one without, to be a part of another
 * @param values for their parameters
 * @param results how many results to skip before those of the statement that follows
 */
public record Opening(String sql, List<String> values, int results) {

  /** Puts the values in, behind so many others. */
  void bind(PreparedStatement statement, int others) throws SQLException {
    for (int i = 0; i < values.size(); i++) {
      statement.setString(others + i + 1, values.get(i));
    }
  }
}
