package io.leasehold.db.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * The statements sent between a transaction's BEGIN and its first statement, in the same round
 * trip.
 *
 * @param sql statements, each ended by a semicolon; or one without a semicolon, to be a part of
 *     another statement; or empty
 * @param values the values for their parameters
 * @param results how many results they have
 */
public record Opening(String sql, List<Value> values, int results) {

  /** The number of values of a proof: the tenants and their signature. They come first. */
  private static final int PROOF = 2;

  /** A parameter's value, which may depend on the connection. */
  @FunctionalInterface
  public interface Value {

    String on(Connection connection) throws SQLException;
  }

  /**
   * Returns whether the opening only proves tenants, as it does if sessions begin with all limits.
   */
  boolean onlyProves() {
    return values.size() == PROOF;
  }

  /** Sets the values, after {@code preceding} other parameters. */
  void bind(PreparedStatement statement, int preceding, Connection connection) throws SQLException {
    for (int i = 0; i < values.size(); i++) {
      statement.setString(preceding + i + 1, values.get(i).on(connection));
    }
  }
}
