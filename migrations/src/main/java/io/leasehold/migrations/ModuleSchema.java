package io.leasehold.migrations;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;
import org.jspecify.annotations.Nullable;

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
            .callbacks(new RefuseUnprotected());
    // Its lock would hold a transaction open, for which a concurrent index would wait for ever.
    configuration
        .getConfigurationExtension(PostgreSQLConfigurationExtension.class)
        .setTransactionalLock(false);
    this.flyway = configuration.load();
  }

  /** What this program would apply. */
  List<String> pending() {
    return named(flyway.info().pending(), migration -> true);
  }

  /** What was applied and this program does not know. */
  List<String> unknown() {
    return named(
        flyway.info().applied(),
        migration -> migration.isVersioned() && !migration.getState().isResolved());
  }

  private List<String> named(MigrationInfo[] migrations, Predicate<MigrationInfo> which) {
    return Arrays.stream(migrations)
        .filter(which)
        .map(migration -> module.schema() + " " + migration.getVersion())
        .toList();
  }

  Migration.Module migrate() {
    try {
      var result = flyway.migrate();
      return new Migration.Module(
          module.schema(),
          Optional.ofNullable(result.initialSchemaVersion),
          Optional.ofNullable(flyway.info().current())
              .map(MigrationInfo::getVersion)
              .map(Object::toString),
          result.migrationsExecuted);
    } catch (FlywayException e) {
      throw explain(e);
    }
  }

  private static MigrationException explain(FlywayException e) {
    return causes(e)
        .filter(MigrationException.class::isInstance)
        .map(MigrationException.class::cast)
        .findFirst()
        .orElseGet(() -> new MigrationException(String.valueOf(e.getMessage()).strip(), e));
  }

  private static Stream<Throwable> causes(@Nullable Throwable e) {
    return Stream.iterate(e, it -> it != null, Throwable::getCause);
  }
}
