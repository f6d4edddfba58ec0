package io.leasehold.migrations;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;

/** A module's schema, with the history of its applied migrations. */
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
            .callbacks(callbacks(module));
    // Flyway's transactional lock would keep a transaction open, and a concurrent index build would
    // wait for that transaction forever.
    configuration
        .getConfigurationExtension(PostgreSQLConfigurationExtension.class)
        .setTransactionalLock(false);
    this.flyway = configuration.load();
  }

  // The platform's own migrations are checked once after all of them, since a check takes longer
  // than the migrations do.
  private static Callback[] callbacks(ModuleMigrations module) {
    var showHistory = new ShowHistory(module);
    return module.equals(ModuleMigrations.PLATFORM)
        ? new Callback[] {showHistory}
        : new Callback[] {showHistory, new RefuseUnprotected()};
  }

  /**
   * The differences between the module's files and its history.
   *
   * @param pending migrations that this program would apply
   * @param unknown applied migrations that this program does not know, or knows in an older version
   * @param changed applied migrations whose text differs from this program's
   * @param late migrations that were not applied before a newer one was
   */
  record Comparison(
      List<String> pending, List<String> unknown, List<String> changed, List<String> late) {}

  Comparison compare() {
    var migrations = ask(Flyway::info);
    var applied = List.of(migrations.applied());
    return new Comparison(
        named(migrations.pending(), one -> !isReplaced(one, applied)),
        Stream.concat(
                named(
                    migrations.applied(), one -> one.isVersioned() && !one.getState().isResolved())
                    .stream(),
                named(migrations.pending(), one -> isReplaced(one, applied)).stream()
                    .map(one -> "the newer " + one))
            .toList(),
        named(
            migrations.applied(),
            one -> one.isVersioned() && one.getState().isResolved() && !one.isChecksumMatching()),
        named(migrations.all(), one -> one.getState() == MigrationState.IGNORED));
  }

  // A repeatable file was applied with this text before, and with another text since. A newer
  // program did that, and an older one must not bring its own functions back.
  private static boolean isReplaced(MigrationInfo pending, List<MigrationInfo> applied) {
    return pending.isRepeatable()
        && applied.stream()
            .filter(one -> pending.getScript().equals(one.getScript()))
            .anyMatch(
                one -> Objects.equals(pending.getResolvedChecksum(), one.getAppliedChecksum()));
  }

  private List<String> named(MigrationInfo[] migrations, Predicate<MigrationInfo> which) {
    return Arrays.stream(migrations)
        .filter(which)
        .map(
            one -> module.schema() + " " + (one.isVersioned() ? one.getVersion() : one.getScript()))
        .toList();
  }

  Migration.Module migrate() {
    var result = ask(Flyway::migrate);
    var from = Optional.ofNullable(result.initialSchemaVersion);
    return new Migration.Module(
        module.schema(),
        from,
        Optional.ofNullable(result.targetSchemaVersion).or(() -> from),
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
