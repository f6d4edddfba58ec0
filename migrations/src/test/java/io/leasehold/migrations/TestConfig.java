package io.leasehold.migrations;

import io.leasehold.testkit.TestDatabase;
import java.util.Map;

/** How a test migrates: as the owner, which has a password of its own. */
final class TestConfig {

  static final ModuleMigrations ACME = ModuleMigrations.of("acme", "classpath:acme/migration");

  private TestConfig() {}

  static MigrationConfig of(TestDatabase database) {
    return as("leasehold_owner", database);
  }

  static MigrationConfig as(String role, TestDatabase database) {
    return new MigrationConfig(database.jdbcUrl(), role, TestDatabase.PASSWORD, Map.of());
  }

  static ModuleMigrations planted(String folder) {
    return ModuleMigrations.of("planted", "classpath:planted/" + folder);
  }
}
