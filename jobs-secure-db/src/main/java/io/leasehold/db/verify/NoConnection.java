package io.leasehold.db.verify;

import io.leasehold.db.Finding;
import io.leasehold.db.JdbcUrl;
import java.sql.SQLException;
import java.util.Objects;

/** Says why no connection could be had. */
final class NoConnection {

  // The driver's own word for a server that wants a password, where none, or an empty one, is
  // given.
  private static final String NO_PASSWORD = "08004";

  private NoConnection() {}

  static Finding finding(String url, RoleLogin login, SQLException e) {
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
      default ->
          new Finding(
              "unreachable",
              shown,
              "cannot be reached: " + message,
              "check the address, and that the server runs");
    };
  }
}
