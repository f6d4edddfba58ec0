package io.leasehold.db.verify;

import io.leasehold.db.Finding;
import java.sql.SQLException;
import java.util.Objects;

/** Says why no connection could be had. */
final class NoConnection {

  private NoConnection() {}

  static Finding finding(String url, RoleLogin login, SQLException e) {
    var state = Objects.requireNonNullElse(e.getSQLState(), "");
    return switch (state) {
      case "28P01", "28000" ->
          new Finding(
              "login",
              "role " + login.user(),
              "is refused by the server at " + url + ": " + e.getMessage(),
              "check its password, and the server's pg_hba.conf");
      case "3D000" ->
          new Finding("database", url, "does not exist", "create the database, and migrate it");
      default ->
          new Finding(
              "unreachable",
              url,
              "cannot be reached: " + e.getMessage(),
              "check the address, and that the server runs");
    };
  }
}
