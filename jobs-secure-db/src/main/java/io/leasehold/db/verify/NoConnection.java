package io.leasehold.db.verify;

import io.leasehold.db.Finding;
import io.leasehold.db.JdbcUrl;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Explains why a server could not be reached. It is created before the connection attempt. */
final class NoConnection {

  // The driver's own state for a missing or empty password, when the server wants one.
  private static final String NO_PASSWORD = "08004";

  private final String url;
  private final RoleLogin login;
  private final Duration limit;
  private final long begin = System.nanoTime();

  /**
   * Starts to measure the time.
   *
   * @param limit how long the server may take for an answer
   */
  NoConnection(String url, RoleLogin login, Duration limit) {
    this.url = url;
    this.login = login;
    this.limit = limit;
  }

  Finding finding(SQLException e) {
    var state = Objects.requireNonNullElse(e.getSQLState(), "");
    var shown = JdbcUrl.redacted(url);
    var message = JdbcUrl.redacted(url, String.valueOf(e.getMessage()));
    return switch (state) {
      case "28P01", "28000", NO_PASSWORD ->
          new Finding(
              "login",
              "role " + login.user(),
              "is refused by the server at " + shown + ": " + message,
              "check its password, and the server's pg_hba.conf");
      case "3D000" ->
          new Finding("database", shown, "does not exist", "create the database, and migrate it");
      default -> hasTimedOut(e) ? late(shown) : unreachable(shown, message);
    };
  }

  private Finding late(String shown) {
    return new Finding(
        "slow",
        shown,
        "did not answer in time: waited %d s".formatted(waited().toSeconds()),
        "check the address and the load of the server; startTimeout (setting"
            + " leasehold.start-timeout, now %d s) allows it more time"
                .formatted(limit.toSeconds()));
  }

  private static Finding unreachable(String shown, String message) {
    return new Finding(
        "unreachable",
        shown,
        "cannot be reached: " + message,
        "check the address, and that the server runs");
  }

  // The driver gives no reason if the login as a whole took too long.
  private boolean hasTimedOut(SQLException e) {
    return isTimeout(e) || waited().compareTo(limit.minusMillis(100)) >= 0;
  }

  private static boolean isTimeout(Throwable failure) {
    for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketTimeoutException) {
        return true;
      }
    }
    return false;
  }

  private Duration waited() {
    return Duration.ofNanos(System.nanoTime() - begin);
  }
}
