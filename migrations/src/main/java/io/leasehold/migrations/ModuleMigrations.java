package io.leasehold.migrations;

/**
 * The migrations of a module. They are applied as {@code leasehold_owner}, in a schema of the
 * module's own, after the platform's migrations, and must follow the same rules.
 *
 * <p>A file {@code V001__what_changes.sql} is applied once, in the order of the numbers, and must
 * never change. A file {@code R__totals.sql} contains functions and views in their current form,
 * each with {@code CREATE OR REPLACE}. It is applied after the numbered files, in the order of the
 * names, and again whenever its text has changed.
 *
 * @param schema the module's schema, which is created if it is missing
 * @param location the location of the files, such as {@code classpath:acme/sql}
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
   * Creates a description of a module's migrations.
   *
   * @throws IllegalArgumentException if the schema is not a plain lower-case name, or is the
   *     platform's; or if the location is not on the class path
   */
  public static ModuleMigrations of(String schema, String location) {
    if (schema.equals(PLATFORM.schema())) {
      throw new IllegalArgumentException("schema must be the module's own, not " + schema);
    }
    return new ModuleMigrations(schema, location);
  }
}
