package io.leasehold.migrations;

import java.util.Map;

/**
 * Which database to migrate, and as whom.
 *
 * @param jdbcUrl the database, without user and password
 * @param user an administrator who may make roles, or a member of {@code leasehold_owner}
 * @param password the user's
 * @param passwords for the roles, by name: set where the user may, and otherwise left as they are
 */
public record MigrationConfig(
    String jdbcUrl, String user, String password, Map<String, String> passwords) {

  public MigrationConfig {
    passwords = Map.copyOf(passwords);
  }

  /** The database without what may follow it: options there could hold a secret. */
  String database() {
    return jdbcUrl.replaceFirst("[?].*", "");
  }

  @Override
  public String toString() {
    return "MigrationConfig[" + database() + " as " + user + "]";
  }
}
