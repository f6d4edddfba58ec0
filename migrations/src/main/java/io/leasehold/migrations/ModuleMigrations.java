package io.leasehold.migrations;

/**
 * The migrations of a module: applied as {@code leasehold_owner}, in a schema of its own, after the
 * platform's, and held to the same rules.
 *
 * <p>A file {@code V001__what_changes.sql} is applied once, in the order of the numbers, and never
 * changes. A file {@code R__totals.sql} has functions and views as they are now, each with {@code
 * CREATE OR REPLACE}: it is applied after those, in the order of the names, and again whenever its
 * text has changed.
 *
 * @param schema the module's; made if it is not there
 * @param location where the files are: {@code classpath:acme/sql}
 */
public record ModuleMigrations(String schema, String location) {

  static final ModuleMigrations PLATFORM =
      new ModuleMigrations("leasehold", "classpath:io/leasehold/migrations/sql");

  public ModuleMigrations {
    if (!schema.matches("[a-z][a-z0-9_]{0,62}") || schema.startsWith("pg_")) {
      throw new IllegalArgumentException(
          "schema must be a lower case word that does not begin with pg_, not " + schema);
    }
    if (!location.startsWith("classpath:")) {
      throw new IllegalArgumentException("location must begin with classpath:, not " + location);
    }
  }

  /**
   * A module's migrations.
   *
   * @throws IllegalArgumentException if the schema is not a plain lower case name, or the
   *     platform's; or if the location is not on the class path
   */
  public static ModuleMigrations of(String schema, String location) {
    if (schema.equals(PLATFORM.schema())) {
      throw new IllegalArgumentException("schema must be the module's own, not " + schema);
    }
    return new ModuleMigrations(schema, location);
  }
}
