package io.leasehold.rest.program;

import io.leasehold.migrations.Migration;
import io.leasehold.migrations.MigrationConfig;
import io.leasehold.migrations.Migrator;
import java.io.PrintWriter;

/** Brings a database to the schema of this program, and says what that took. */
public final class Migrate {

  private final PrintWriter out;

  public Migrate(PrintWriter out) {
    this.out = out;
  }

  /**
   * Migrates.
   *
   * @throws IllegalArgumentException if nobody was named who may
   */
  public void migrate(Database database) {
    migrate(
        database
            .migration()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "to migrate a given database, say who may: LEASEHOLD_ADMIN_USER and"
                            + " LEASEHOLD_ADMIN_PASSWORD")));
  }

  /** Migrates where somebody was named who may; otherwise the database has to be migrated. */
  void ifAllowed(Database database) {
    database.migration().ifPresent(this::migrate);
  }

  private void migrate(MigrationConfig config) {
    new Migrator(config).migrate().modules().forEach(this::tell);
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
