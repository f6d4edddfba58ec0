package io.leasehold.db.policy;

import io.leasehold.db.policy.Attempt.Kind;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.postgresql.PGConnection;

/**
 * Tries things over a raw connection, each in a transaction of its own, and tells which reached
 * another tenant's rows.
 */
record Intruder(Connection connection, Entering entering, List<String> foreign, ForeignRows rows) {

  /** What comes before an attempt in its transaction. */
  @FunctionalInterface
  interface Entering {
    void enter(Connection connection) throws SQLException;
  }

  // No right; not for tables like this; not for row level security; no such row of this tenant;
  // a view that is no table.
  private static final Set<String> REFUSALS = Set.of("42501", "42809", "0A000", "23503", "55000");
  // A function refuses its arguments, or the proof that it is given.
  private static final Pattern REFUSED_CALL = Pattern.compile("22...|42...|23514|28L01|LM00.");

  // What was entered is no tenant.
  private static final String NO_UUID = "22P02";

  /** What an attempt brought to light or changed. */
  private record Outcome(String shown, int changed) {}

  /** How an attempt breached the isolation, if it did. */
  Optional<String> breachBy(Attempt attempt) throws SQLException {
    try {
      entering.enter(connection);
      return breach(attempt, run(attempt));
    } catch (SQLException e) {
      return isRefusal(attempt, e)
          ? Optional.empty()
          : Optional.of("%s fails with %s %s".formatted(attempt, e.getSQLState(), e.getMessage()));
    } finally {
      connection.rollback();
    }
  }

  private Optional<String> breach(Attempt attempt, Outcome outcome) throws SQLException {
    if (attempt.kind() == Kind.FORBIDDEN) {
      return Optional.of("%s is not refused".formatted(attempt));
    }
    if (attempt.kind() == Kind.FRUITLESS && outcome.changed > 0) {
      return Optional.of("%s changes %d rows".formatted(attempt, outcome.changed));
    }
    if (foreign.stream().anyMatch(outcome.shown::contains)) {
      return Optional.of("%s shows another tenant's rows".formatted(attempt));
    }
    if (attempt.kind() != Kind.LOCK && !rows.areUntouched()) {
      return Optional.of("%s touches another tenant's rows".formatted(attempt));
    }
    return Optional.empty();
  }

  private boolean isRefusal(Attempt attempt, SQLException e) {
    var state = String.valueOf(e.getSQLState());
    return REFUSALS.contains(state)
        || state.equals(NO_UUID)
        || (attempt.kind() == Kind.CALL && REFUSED_CALL.matcher(state).matches());
  }

  private Outcome run(Attempt attempt) throws SQLException {
    var copying = connection.unwrap(PGConnection.class).getCopyAPI();
    try {
      return switch (attempt.kind()) {
        case COPY_OUT -> {
          var out = new StringWriter();
          copying.copyOut(attempt.sql(), out);
          yield new Outcome(out.toString(), 0);
        }
        case COPY_IN -> new Outcome("", (int) copying.copyIn(attempt.sql(), new StringReader("")));
        default -> execute(attempt.sql());
      };
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Outcome execute(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      var shown = new StringBuilder();
      var changed = 0;
      var hasRows = statement.execute(sql);
      while (hasRows || statement.getUpdateCount() != -1) {
        changed += hasRows ? show(statement.getResultSet(), shown) : statement.getUpdateCount();
        hasRows = statement.getMoreResults(Statement.CLOSE_CURRENT_RESULT);
      }
      return new Outcome(shown.toString(), changed);
    }
  }

  private static int show(ResultSet rows, StringBuilder shown) throws SQLException {
    var count = 0;
    while (rows.next()) {
      count++;
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        shown.append(rows.getString(i)).append('\n');
      }
    }
    return count;
  }
}
