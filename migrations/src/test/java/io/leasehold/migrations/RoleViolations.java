package io.leasehold.migrations;

import static io.leasehold.migrations.Violation.violation;

import java.util.List;

/** What is done to roles, and what the server is made to give them. */
final class RoleViolations {

  static final List<Violation> ALL =
      List.of(
          violation(
              "role-missing",
              "leasehold_tenant",
              "ALTER ROLE leasehold_tenant RENAME TO leasehold_renamed"),
          violation("role-attribute", "leasehold_tenant", "ALTER ROLE leasehold_tenant SUPERUSER"),
          violation("role-attribute", "leasehold_tenant", "ALTER ROLE leasehold_tenant BYPASSRLS"),
          violation("role-attribute", "leasehold_engine", "ALTER ROLE leasehold_engine CREATEROLE"),
          violation("role-attribute", "leasehold_engine", "ALTER ROLE leasehold_engine CREATEDB"),
          violation(
              "role-attribute", "leasehold_engine", "ALTER ROLE leasehold_engine REPLICATION"),
          violation("role-attribute", "leasehold_owner", "ALTER ROLE leasehold_owner BYPASSRLS"),
          violation("role-member", "leasehold_tenant", "GRANT leasehold_owner TO leasehold_tenant"),
          violation(
              "role-member", "leasehold_tenant", "GRANT pg_read_all_data TO leasehold_tenant"),
          violation(
              "role-owns", "leasehold_tenant", "CREATE SCHEMA own AUTHORIZATION leasehold_tenant"),
          violation(
              "role-owns",
              "leasehold_engine",
              "CREATE TABLE acme.log (id int); ALTER TABLE acme.log OWNER TO leasehold_engine"),
          violation(
              "role-creates",
              "leasehold_tenant",
              "GRANT CREATE ON SCHEMA acme TO leasehold_tenant"),
          violation("role-creates", "PUBLIC", "GRANT CREATE ON SCHEMA public TO PUBLIC"),
          violation(
              "role-creates",
              "leasehold_engine",
              "DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO leasehold_engine',"
                  + " current_database()); END $$"),
          violation(
              "role-makes-temporary",
              "PUBLIC",
              "DO $$ BEGIN EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO PUBLIC',"
                  + " current_database()); END $$"),
          violation(
              "role-attribute",
              "a login",
              "CREATE ROLE \"a login\" LOGIN; GRANT leasehold_engine TO \"a login\";"
                  + "ALTER ROLE \"a login\" BYPASSRLS"),
          violation(
              "role-attribute",
              "a login",
              "CREATE ROLE \"a login\" LOGIN; GRANT leasehold_tenant TO \"a login\";"
                  + "ALTER ROLE \"a login\" SUPERUSER"),
          violation(
              "role-attribute",
              "a far login",
              "CREATE ROLE \"a login\" LOGIN; GRANT leasehold_tenant TO \"a login\";"
                  + "CREATE ROLE \"a far login\" CREATEDB; GRANT \"a login\" TO \"a far login\""),
          violation(
              "role-member",
              "a login",
              "CREATE ROLE \"a login\" LOGIN; GRANT leasehold_tenant TO \"a login\";"
                  + "GRANT leasehold_engine TO \"a login\""),
          violation(
              "role-member",
              "a login",
              "CREATE ROLE \"a login\" LOGIN; GRANT leasehold_tenant TO \"a login\";"
                  + "GRANT pg_read_all_data TO \"a login\""),
          violation(
              "role-owns",
              "a login",
              "CREATE ROLE \"a login\" LOGIN; GRANT leasehold_engine TO \"a login\";"
                  + "CREATE SCHEMA own AUTHORIZATION \"a login\""),
          violation(
              "role-creates",
              "a login",
              "CREATE ROLE \"a login\" LOGIN; GRANT leasehold_tenant TO \"a login\";"
                  + "GRANT CREATE ON SCHEMA acme TO \"a login\""),
          violation(
              "role-makes-temporary",
              "a login",
              "CREATE ROLE \"a login\" LOGIN; GRANT leasehold_tenant TO \"a login\";DO $$ BEGIN"
                  + " EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO \"a login\"',"
                  + " current_database()); END $$"),
          violation(
              "grant-past-policies",
              "acme.customer",
              "CREATE ROLE \"a login\" LOGIN; GRANT leasehold_tenant TO \"a login\";"
                  + "GRANT TRUNCATE ON acme.customer TO \"a login\""),
          violation(
              "table-open",
              "acme.price",
              "CREATE ROLE \"a login\" LOGIN; GRANT leasehold_tenant TO \"a login\";"
                  + "CREATE TABLE acme.price (id int); GRANT SELECT ON acme.price TO \"a login\""),
          violation(
              "sequence-readable",
              "acme.numbers",
              "CREATE ROLE \"a login\" LOGIN; GRANT leasehold_tenant TO \"a login\";"
                  + "CREATE SEQUENCE acme.numbers; GRANT SELECT ON acme.numbers TO \"a login\""),
          violation(
              "materialized-view",
              "acme.names",
              "CREATE ROLE \"a login\" LOGIN; GRANT leasehold_tenant TO \"a login\";CREATE"
                  + " MATERIALIZED VIEW acme.names AS SELECT name FROM acme.customer; GRANT SELECT"
                  + " ON acme.names TO \"a login\""),
          violation(
              "role-search-path",
              "leasehold_engine",
              "DO $$ BEGIN EXECUTE format('ALTER ROLE leasehold_engine IN DATABASE %I RESET ALL',"
                  + " current_database()); END $$"),
          violation(
              "role-member", "leasehold_tenant", "GRANT pg_write_all_data TO leasehold_tenant"),
          violation(
              "role-member", "leasehold_tenant", "GRANT pg_read_server_files TO leasehold_tenant"),
          violation(
              "role-member", "leasehold_tenant", "GRANT pg_write_server_files TO leasehold_tenant"),
          violation(
              "role-member",
              "leasehold_tenant",
              "GRANT pg_execute_server_program TO leasehold_tenant"),
          violation(
              "role-member", "leasehold_tenant", "GRANT pg_read_all_stats TO leasehold_tenant"),
          violation("role-member", "leasehold_tenant", "GRANT pg_monitor TO leasehold_tenant"),
          violation(
              "owner-member",
              "leasehold_owner",
              "CREATE ROLE boundless BYPASSRLS; GRANT boundless TO leasehold_owner"),
          violation(
              "owner-member",
              "leasehold_owner",
              "CREATE ROLE boundless SUPERUSER; CREATE ROLE between; GRANT boundless TO "
                  + "between;GRANT between TO leasehold_owner"),
          violation(
              "owner-member",
              "leasehold_owner",
              "GRANT pg_execute_server_program TO leasehold_owner"),
          violation(
              "system-grant",
              "pg_catalog.pg_statistic",
              "GRANT SELECT ON pg_catalog.pg_statistic TO leasehold_tenant"),
          violation(
              "system-grant",
              "pg_catalog.pg_statistic_ext_data",
              "GRANT SELECT ON pg_catalog.pg_statistic_ext_data TO leasehold_tenant"),
          violation(
              "system-grant",
              "pg_catalog.pg_authid",
              "GRANT SELECT ON pg_catalog.pg_authid TO leasehold_tenant"),
          violation(
              "system-grant",
              "pg_catalog.pg_largeobject",
              "GRANT SELECT ON pg_catalog.pg_largeobject TO leasehold_tenant"),
          violation(
              "system-grant",
              "pg_catalog.pg_statistic",
              "GRANT SELECT (stavalues1) ON pg_statistic TO PUBLIC"),
          violation(
              "system-grant",
              "pg_catalog.pg_read_file(text)",
              "GRANT EXECUTE ON FUNCTION pg_read_file(text) TO leasehold_tenant"),
          violation(
              "system-grant",
              "pg_catalog.pg_ls_dir(text)",
              "CREATE ROLE \"a login\" LOGIN; GRANT leasehold_tenant TO \"a login\";GRANT "
                  + "EXECUTE ON FUNCTION pg_ls_dir(text) TO \"a login\""),
          violation(
              "parameter-grant",
              "session_replication_role",
              "GRANT SET ON PARAMETER session_replication_role TO leasehold_tenant"),
          violation(
              "parameter-grant",
              "session_replication_role",
              "GRANT SET ON PARAMETER session_replication_role TO PUBLIC"),
          violation(
              "parameter-grant",
              "row_security",
              "GRANT ALTER SYSTEM ON PARAMETER row_security TO leasehold_engine"),
          violation(
              "role-setting",
              "leasehold_tenant",
              "ALTER ROLE leasehold_tenant SET backtrace_functions = 'a,b'"),
          violation(
              "role-setting",
              "leasehold_tenant",
              "ALTER ROLE leasehold_tenant SET row_security = off"),
          violation(
              "role-setting",
              "leasehold_engine",
              "ALTER ROLE leasehold_engine SET session_replication_role = replica"),
          violation(
              "role-setting",
              "a login",
              "CREATE ROLE \"a login\" LOGIN; GRANT leasehold_tenant TO \"a login\";DO $$ "
                  + "BEGIN EXECUTE format('ALTER ROLE \"a login\" IN DATABASE %I SET search_path "
                  + "= acme', current_database()); END $$"),
          violation("role-setting", "the server", "ALTER ROLE ALL SET backtrace_functions = 'a'"),
          violation(
              "parameter-grant",
              "backtrace_functions",
              "GRANT SET ON PARAMETER backtrace_functions TO PUBLIC"),
          violation(
              "proof-parameter",
              "leasehold_owner",
              "REVOKE SET ON PARAMETER backtrace_functions FROM leasehold_owner"),
          violation("proof-key", "leasehold.tenant_key", "DELETE FROM leasehold.tenant_key"),
          violation(
              "function-elsewhere",
              "leasehold.run_command_on_workers(command text)",
              "CREATE FUNCTION leasehold.run_command_on_workers(command text) RETURNS text"
                  + " LANGUAGE sql RETURN command; GRANT EXECUTE ON FUNCTION"
                  + " leasehold.run_command_on_workers(text) TO PUBLIC"));

  private RoleViolations() {}
}
