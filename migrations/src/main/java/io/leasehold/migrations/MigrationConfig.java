package io.leasehold.migrations;

import java.util.Map;

/**
 * The database to migrate, and the user to migrate it with.
 *
 * @param jdbcUrl the database, without user and password
 * @param user an administrator who may create roles, or a member of {@code leasehold_owner}
 * @param password the password of the user
 * @param passwords the passwords for the roles, by role name; each is set if the user may set it,
 *     and otherwise left unchanged
 */
public record MigrationConfig(
    String jdbcUrl, String user, String password, Map<String, String> passwords) {

  public MigrationConfig {
    passwords = Map.copyOf(passwords);
  }

  /** Returns the URL without its parameters, which could contain a secret. */
  String database() {
    return jdbcUrl.replaceFirst("[?].*", "");
  }

  @Override
  public String toString() {
    return "MigrationConfig[" + database() + " as " + user + "]";
  }
}
