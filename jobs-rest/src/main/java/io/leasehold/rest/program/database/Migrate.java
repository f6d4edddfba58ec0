package io.leasehold.rest.program.database;

import io.leasehold.migrations.Migration;
import io.leasehold.migrations.MigrationConfig;
import io.leasehold.migrations.Migrator;
import io.leasehold.migrations.ModuleMigrations;
import java.io.PrintWriter;
import java.util.List;

/**
 * Migrates a database to the schema of this program, and reports what was done.
 *
 * @param out the output for people
 * @param modules the modules whose migrations run after the platform's
 */
public record Migrate(PrintWriter out, List<ModuleMigrations> modules) {

  public Migrate {
    modules = List.copyOf(modules);
  }

  /**
   * Migrates the database.
   *
   * @throws IllegalArgumentException if no administrator was configured
   */
  public void migrate(Database database) {
    migrate(database.requireMigration());
  }

  /**
   * Migrates the database if an administrator was configured; otherwise it must be migrated
   * already.
   */
  public void ifAllowed(Database database) {
    database.migration().ifPresent(this::migrate);
  }

  private void migrate(MigrationConfig config) {
    var migrator = new Migrator(config);
    for (var module : modules) {
      migrator = migrator.and(module);
    }
    migrator.migrate().modules().forEach(this::tell);
  }

  private void tell(Migration.Module module) {
    var version = module.schema() + " " + module.to().orElse("without migrations");
    if (module.applied() == 0) {
      out.println("schema    " + version);
    } else {
      out.printf(
          "schema    %s, from %s by %d migrations%n",
          version, module.from().orElse("nothing"), module.applied());
    }
  }
}
