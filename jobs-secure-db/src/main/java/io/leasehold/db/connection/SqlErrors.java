package io.leasehold.db.connection;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/** Translates the database's errors to the platform's codes. No other class does so. */
final class SqlErrors {

  /** The driver's state for a statement on a connection that it knows to be closed. */
  static final String CONNECTION_CLOSED = "08003";

  static final String TRANSACTION_FAILED = "25P02";

  /** The state that leasehold.enter_tenant raises. */
  private static final String NOT_PROVEN = "28L01";

  private static final String STATEMENT_GONE = "26000";

  private static final String NOT_SUPPORTED = "0A000";

  /** The server's routine that refuses a prepared statement after a migration. */
  private static final String REVALIDATION = "RevalidateCachedQuery";

  private static final String TOO_MANY_CONNECTIONS = "53300";

  private static final Map<String, ErrorCode> CODES =
      Map.ofEntries(
          Map.entry("40001", ErrorCode.SERIALIZATION_FAILURE),
          Map.entry("40P01", ErrorCode.DEADLOCK),
          Map.entry("55P03", ErrorCode.LOCK_TIMEOUT),
          Map.entry("57014", ErrorCode.STATEMENT_CANCELLED),
          Map.entry("25P03", ErrorCode.TRANSACTION_TIMEOUT),
          Map.entry("25P04", ErrorCode.TRANSACTION_TIMEOUT),
          Map.entry("23505", ErrorCode.KEY_TAKEN),
          Map.entry("23P01", ErrorCode.KEY_TAKEN),
          Map.entry("23503", ErrorCode.REFERENCE_BROKEN),
          Map.entry("23001", ErrorCode.REFERENCE_BROKEN),
          Map.entry("25006", ErrorCode.DATABASE_READ_ONLY),
          Map.entry("53100", ErrorCode.DATABASE_FULL),
          Map.entry("LM001", ErrorCode.MIRROR_UNKNOWN),
          Map.entry("LM002", ErrorCode.MIRROR_BUSY),
          Map.entry("3D000", ErrorCode.DATABASE_UNREACHABLE),
          Map.entry(TOO_MANY_CONNECTIONS, ErrorCode.POOL_EXHAUSTED),
          Map.entry(TRANSACTION_FAILED, ErrorCode.TRANSACTION_ROLLED_BACK));

  // Only a refused value fails the same way each time, and an attempt's end that meets one is given
  // up. The other classes are problems of the server, which may accept the same value a moment
  // later.
  private static final Map<String, ErrorCode> CLASSES =
      Map.ofEntries(
          Map.entry("08", ErrorCode.DATABASE_UNREACHABLE),
          Map.entry("0A", ErrorCode.VALUE_REFUSED),
          Map.entry("21", ErrorCode.VALUE_REFUSED),
          Map.entry("22", ErrorCode.VALUE_REFUSED),
          Map.entry("23", ErrorCode.VALUE_REFUSED),
          Map.entry("25", ErrorCode.DATABASE_DEGRADED),
          Map.entry("28", ErrorCode.DATABASE_UNREACHABLE),
          Map.entry("40", ErrorCode.SERIALIZATION_FAILURE),
          Map.entry("53", ErrorCode.DATABASE_DEGRADED),
          Map.entry("54", ErrorCode.VALUE_REFUSED),
          Map.entry("55", ErrorCode.DATABASE_DEGRADED),
          Map.entry("57", ErrorCode.DATABASE_UNREACHABLE),
          Map.entry("58", ErrorCode.DATABASE_DEGRADED),
          Map.entry("XX", ErrorCode.DATABASE_DEGRADED));

  private SqlErrors() {}

  /** Returns whether the database refused the proof of the transaction's tenant. */
  static boolean isUnproven(SQLException e) {
    return NOT_PROVEN.equals(e.getSQLState());
  }

  /**
   * Returns whether the session has lost a statement that the driver prepared, or can no longer run
   * it.
   */
  static boolean isStatementGone(SQLException e) {
    return STATEMENT_GONE.equals(e.getSQLState()) || isOutdated(e);
  }

  private static boolean isOutdated(SQLException e) {
    return NOT_SUPPORTED.equals(e.getSQLState())
        && e instanceof PSQLException answer
        && answer.getServerErrorMessage() != null
        && REVALIDATION.equals(answer.getServerErrorMessage().getRoutine());
  }

  static JobsException translate(SQLException e) {
    if (isUnproven(e)) {
      return new JobsException(
          ErrorCode.DATABASE_UNREACHABLE,
          "the database refused the proof of the tenant, because its key was replaced: retry",
          e);
    }
    var code = code(e);
    return new JobsException(code, message(code, e), e);
  }

  // The connection broke or the server gave up, during the commit or just after it.
  private static final Pattern DURING_COMMIT = Pattern.compile("(08|53|57|58|XX).*");

  /**
   * Translates an error of a commit. An interrupted commit has an unknown outcome. An error after
   * which the session continues does not, since it came before the commit.
   */
  static JobsException translateAtCommit(SQLException e) {
    var state = e.getSQLState();
    if (state == null
        || CONNECTION_CLOSED.equals(state)
        || !isInterruption(state)
        || isAnswered(e)) {
      return translate(e);
    }
    return outcomeUnknown(e);
  }

  static JobsException outcomeUnknown(SQLException e) {
    return new JobsException(
        ErrorCode.OUTCOME_UNKNOWN, "the connection broke while the commit was under way", e);
  }

  /**
   * Returns whether the error leaves the outcome unknown for a commit that was sent along. An error
   * after which the server continues does not, since it came before the commit.
   */
  static boolean isOpen(SQLException e) {
    var state = e.getSQLState();
    return state != null && isInterruption(state) && !isAnswered(e);
  }

  private static boolean isAnswered(SQLException e) {
    if (!(e instanceof PSQLException answer)) {
      return false;
    }
    var message = answer.getServerErrorMessage();
    return message != null && "ERROR".equals(message.getSeverity());
  }

  private static boolean isInterruption(String state) {
    return DURING_COMMIT.matcher(state).matches();
  }

  private static ErrorCode code(SQLException e) {
    var state = e.getSQLState();
    if (e.getCause() instanceof InterruptedException) {
      return ErrorCode.INTERRUPTED;
    }
    if (isPoolTimeout(e)) {
      return withoutConnection(e);
    }
    if (state == null || state.length() < 2 || isOutdated(e)) {
      return ErrorCode.STATEMENT_FAILED;
    }
    var code = CODES.getOrDefault(state, CLASSES.get(state.substring(0, 2)));
    return code == null ? ErrorCode.STATEMENT_FAILED : code;
  }

  // The driver's own failure, if any, is the reason why there was no connection. Its state does not
  // matter: a login fails for many reasons, and each of them affects all callers.
  private static ErrorCode withoutConnection(SQLException e) {
    return e.getCause() instanceof SQLException cause
            && !TOO_MANY_CONNECTIONS.equals(cause.getSQLState())
        ? ErrorCode.DATABASE_UNREACHABLE
        : ErrorCode.POOL_EXHAUSTED;
  }

  private static boolean isPoolTimeout(SQLException e) {
    return e instanceof SQLTransientConnectionException;
  }

  private static String message(ErrorCode code, SQLException e) {
    return switch (code) {
      case POOL_EXHAUSTED -> "no connection became free in time";
      case INTERRUPTED -> "the thread was interrupted: nothing is committed";
      case DATABASE_UNREACHABLE -> "the connection to the database is lost or unavailable";
      default -> "%s: %s".formatted(code.name().toLowerCase(Locale.ROOT), text(e));
    };
  }

  // Without the error's context, which quotes statements of the platform's functions.
  private static @Nullable String text(SQLException e) {
    var answer = e instanceof PSQLException error ? error.getServerErrorMessage() : null;
    if (answer == null) {
      return e.getMessage();
    }
    var text = new StringBuilder(answer.getSeverity() + ": " + answer.getMessage());
    if (answer.getDetail() != null) {
      text.append("\n  Detail: ").append(answer.getDetail());
    }
    if (answer.getHint() != null) {
      text.append("\n  Hint: ").append(answer.getHint());
    }
    return text.toString();
  }
}
