package io.leasehold.migrations;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationInfoService;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;

/** A module's schema, and the history in it of what was applied. */
final class ModuleSchema {

  private final ModuleMigrations module;
  private final Flyway flyway;

  ModuleSchema(ModuleMigrations module, DataSource database) {
    this.module = module;
    var configuration =
        Flyway.configure()
            .loggers(QuietLog.class.getName())
            .dataSource(database)
            .schemas(module.schema())
            .locations(module.location())
            .failOnMissingLocations(true)
            .validateMigrationNaming(true)
            .placeholderReplacement(false)
            .callbacks(new ShowHistory(module), new RefuseUnprotected());
    // Its lock would hold a transaction open, for which a concurrent index would wait for ever.
    configuration
        .getConfigurationExtension(PostgreSQLConfigurationExtension.class)
        .setTransactionalLock(false);
    this.flyway = configuration.load();
  }

  /** What this program would apply. */
  List<String> pending() {
    return named(MigrationInfoService::pending, migration -> true);
  }

  /** What was applied and this program does not know. */
  List<String> unknown() {
    return named(
        MigrationInfoService::applied,
        migration -> migration.isVersioned() && !migration.getState().isResolved());
  }

  /** What was applied in other words than this program knows it. */
  List<String> changed() {
    return named(
        MigrationInfoService::applied,
        migration -> migration.getState().isResolved() && !migration.isChecksumMatching());
  }

  private List<String> named(
      Function<MigrationInfoService, MigrationInfo[]> kind, Predicate<MigrationInfo> which) {
    return Arrays.stream(kind.apply(ask(Flyway::info)))
        .filter(which)
        .map(migration -> module.schema() + " " + migration.getVersion())
        .toList();
  }

  Migration.Module migrate() {
    var result = ask(Flyway::migrate);
    var current = Optional.ofNullable(ask(Flyway::info).current());
    return new Migration.Module(
        module.schema(),
        Optional.ofNullable(result.initialSchemaVersion),
        current.map(MigrationInfo::getVersion).map(Object::toString),
        result.migrationsExecuted);
  }

  private <T> T ask(Function<Flyway, T> question) {
    try {
      return question.apply(flyway);
    } catch (FlywayException e) {
      throw FailedMigration.of(e);
    }
  }
}
