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
            .callbacks(callbacks(module));
    // Its lock would hold a transaction open, for which a concurrent index would wait for ever.
    configuration
        .getConfigurationExtension(PostgreSQLConfigurationExtension.class)
        .setTransactionalLock(false);
    this.flyway = configuration.load();
  }

  // The platform's own are looked at once, when all are applied: a look takes longer than they do.
  private static Callback[] callbacks(ModuleMigrations module) {
    var showHistory = new ShowHistory(module);
    return module.equals(ModuleMigrations.PLATFORM)
        ? new Callback[] {showHistory}
        : new Callback[] {showHistory, new RefuseUnprotected()};
  }

  /**
   * What the module's files and its history say to each other.
   *
   * @param pending what this program would apply
   * @param unknown what was applied and this program does not know, or knows in an older text
   * @param changed what was applied in other words than this program knows it
   * @param late what was not applied when a newer one was
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

  // A repeatable file that was applied with this text before, and with another one since: by a
  // newer
  // program, whose functions an older one must not put back.
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
