package io.leasehold.db.policy;

import static io.leasehold.db.policy.Attempt.forbidden;

import java.util.ArrayList;
import java.util.List;

/** Attempts of a tenant to get another role, or to make an object of its own. */
final class SchemaAttempts {

  private static final List<String> BECOMING =
      List.of(
          "SET ROLE leasehold_owner",
          "SET ROLE leasehold_engine",
          "SET ROLE postgres",
          "SET SESSION AUTHORIZATION leasehold_owner",
          "SET SESSION AUTHORIZATION leasehold_engine",
          "SET SESSION AUTHORIZATION postgres",
          "SET session_replication_role = replica",
          "ALTER ROLE leasehold_tenant BYPASSRLS",
          "ALTER ROLE leasehold_tenant SUPERUSER",
          "ALTER ROLE leasehold_engine PASSWORD 'mine'",
          "GRANT leasehold_owner TO leasehold_tenant",
          "GRANT leasehold_engine TO leasehold_tenant",
          "CREATE ROLE mine",
          "CREATE SCHEMA mine",
          "CREATE EXTENSION file_fdw",
          "CREATE TEMPORARY TABLE mine (id integer)",
          "CREATE TEMPORARY VIEW mine AS SELECT 1",
          "SELECT * FROM pg_authid",
          "SELECT * FROM pg_statistic",
          "SELECT pg_read_file('PG_VERSION')",
          "SELECT pg_ls_dir('.')",
          "SELECT lo_import('/etc/hostname')");

  private SchemaAttempts() {}

  static List<Attempt> all(List<String> schemas) {
    var attempts = new ArrayList<Attempt>();
    BECOMING.forEach(sql -> attempts.add(forbidden("become", sql)));
    // What the server has gathered of the values in a table.
    attempts.add(Attempt.of("statistics", "SELECT t::text FROM pg_stats t"));
    attempts.add(Attempt.of("further statistics", "SELECT t::text FROM pg_stats_ext t"));
    for (var schema : schemas) {
      attempts.add(forbidden("create", "CREATE TABLE %s.mine (id integer)".formatted(schema)));
      attempts.add(forbidden("create", "CREATE VIEW %s.mine AS SELECT 1".formatted(schema)));
      attempts.add(forbidden("create", "CREATE SEQUENCE %s.mine".formatted(schema)));
      attempts.add(forbidden("create", "CREATE TYPE %s.mine AS ENUM ('a')".formatted(schema)));
      attempts.add(
          forbidden(
              "create",
              "CREATE FUNCTION %s.mine() RETURNS integer LANGUAGE sql RETURN 1".formatted(schema)));
      attempts.add(forbidden("drop", "DROP SCHEMA %s CASCADE".formatted(schema)));
    }
    return attempts;
  }
}
