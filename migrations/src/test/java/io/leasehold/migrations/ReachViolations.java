package io.leasehold.migrations;

import static io.leasehold.migrations.Violation.violation;

import java.util.List;

/** What opens a table, a view, a sequence or a function. */
final class ReachViolations {

  static final List<Violation> ALL =
      List.of(
          violation(
              "table-open",
              "acme.price",
              "CREATE TABLE acme.price (id int); GRANT SELECT ON acme.price TO leasehold_tenant"),
          violation(
              "table-open",
              "acme.price",
              "CREATE TABLE acme.price (id int); GRANT SELECT (id) ON acme.price TO PUBLIC"),
          violation(
              "table-open",
              "acme.country",
              "CREATE POLICY tenants_write ON acme.country FOR INSERT TO leasehold_tenant"
                  + " WITH CHECK (true)"),
          violation("grant-to-public", "acme.customer", "GRANT SELECT ON acme.customer TO PUBLIC"),
          violation(
              "grant-to-public", "acme.customer", "GRANT SELECT (name) ON acme.customer TO PUBLIC"),
          violation(
              "grant-past-policies",
              "acme.customer",
              "GRANT TRUNCATE ON acme.customer TO leasehold_tenant"),
          violation(
              "grant-past-policies",
              "acme.customer",
              "GRANT REFERENCES (id) ON acme.customer TO leasehold_engine"),
          violation(
              "grant-past-policies",
              "acme.country",
              "GRANT TRIGGER ON acme.country TO leasehold_tenant"),
          violation(
              "engine-beyond-queue",
              "acme.customer",
              "SELECT leasehold.mirror('acme.customer', id => 'id', status => 'name');"
                  + " GRANT SELECT (name) ON acme.customer TO leasehold_engine"),
          violation(
              "sequence-readable",
              "acme.numbers",
              "CREATE SEQUENCE acme.numbers; GRANT SELECT ON acme.numbers TO leasehold_tenant"),
          violation(
              "view-as-owner",
              "acme.names",
              "CREATE VIEW acme.names WITH (check_option = local) AS SELECT name FROM"
                  + " acme.customer;GRANT SELECT ON acme.names TO leasehold_tenant"),
          violation(
              "view-as-owner",
              "acme.names",
              "CREATE VIEW acme.names WITH (security_invoker = off) AS SELECT 1 AS one;"
                  + "GRANT SELECT ON acme.names TO leasehold_engine"),
          violation(
              "view-as-owner", "leasehold.one", "CREATE VIEW leasehold.one AS SELECT 1 AS one"),
          violation(
              "materialized-view",
              "acme.names",
              "CREATE MATERIALIZED VIEW acme.names AS SELECT name FROM acme.customer;"
                  + "GRANT SELECT ON acme.names TO leasehold_tenant"),
          violation(
              "foreign-table",
              "acme.far",
              "CREATE FOREIGN DATA WRAPPER far; CREATE SERVER far FOREIGN DATA WRAPPER far;"
                  + "CREATE FOREIGN TABLE acme.far (id int) SERVER far;"
                  + "GRANT SELECT ON acme.far TO leasehold_tenant"),
          violation(
              "rewrite-rule",
              "acme.customer",
              "CREATE RULE keep AS ON DELETE TO acme.customer DO INSTEAD NOTHING"),
          violation(
              "definer-search-path",
              "acme.one()",
              "CREATE FUNCTION acme.one() RETURNS int SECURITY DEFINER LANGUAGE sql RETURN 1;"
                  + "GRANT EXECUTE ON FUNCTION acme.one() TO leasehold_tenant"),
          violation(
              "definer-search-path",
              "acme.one()",
              "CREATE FUNCTION acme.one() RETURNS int SECURITY DEFINER LANGUAGE sql"
                  + " SET search_path = \"$user\", public RETURN 1"),
          violation(
              "definer-search-path",
              "acme.fire()",
              "CREATE FUNCTION acme.fire() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql"
                  + " AS 'BEGIN RETURN NULL; END'; REVOKE ALL ON FUNCTION acme.fire() FROM PUBLIC"),
          violation(
              "definer-public",
              "acme.one(integer)",
              "CREATE FUNCTION acme.one(integer) RETURNS int SECURITY DEFINER LANGUAGE sql"
                  + " SET search_path = pg_catalog RETURN 1"),
          violation(
              "definer-unbound",
              "acme.one()",
              "CREATE FUNCTION acme.one() RETURNS int SECURITY DEFINER LANGUAGE sql"
                  + " SET search_path = pg_catalog RETURN 1"),
          violation(
              "definer-of-owner",
              "acme.one(number integer)",
              "CREATE FUNCTION acme.one(number integer) RETURNS int SECURITY DEFINER LANGUAGE sql"
                  + " SET search_path = pg_catalog RETURN 1;"
                  + "ALTER FUNCTION acme.one(integer) OWNER TO leasehold_owner;"
                  + "REVOKE ALL ON FUNCTION acme.one(integer) FROM PUBLIC;"
                  + "GRANT EXECUTE ON FUNCTION acme.one(integer) TO leasehold_tenant"),
          violation(
              "engine-beyond-queue",
              "acme.price",
              "CREATE TABLE acme.price (id int); GRANT ALL ON acme.price TO leasehold_engine"),
          violation(
              "engine-beyond-queue",
              "acme.price",
              "CREATE ROLE \"a login\" LOGIN; GRANT leasehold_engine TO \"a login\";CREATE "
                  + "TABLE acme.price (id int); GRANT SELECT ON acme.price TO \"a login\""),
          violation(
              "engine-beyond-queue",
              "acme.names",
              "CREATE MATERIALIZED VIEW acme.names AS SELECT name FROM acme.customer;GRANT "
                  + "SELECT ON acme.names TO leasehold_engine"),
          violation(
              "sequence-writable",
              "acme.numbers",
              "CREATE SEQUENCE acme.numbers; GRANT UPDATE ON acme.numbers TO leasehold_tenant"),
          violation(
              "table-open",
              "theirs.price",
              "CREATE SCHEMA theirs; GRANT USAGE ON SCHEMA theirs TO leasehold_tenant;"
                  + "CREATE TABLE theirs.price (tenant_id int); GRANT SELECT ON theirs.price TO "
                  + "PUBLIC"),
          violation(
              "definer-of-owner",
              "acme.names()",
              "CREATE MATERIALIZED VIEW acme.names AS SELECT name FROM acme.customer;"
                  + "CREATE FUNCTION acme.names() RETURNS SETOF text SECURITY DEFINER LANGUAGE "
                  + "sql SET search_path = pg_catalog AS 'SELECT name FROM acme.names';"
                  + "ALTER MATERIALIZED VIEW acme.names OWNER TO leasehold_owner;ALTER "
                  + "FUNCTION acme.names() OWNER TO leasehold_owner; GRANT EXECUTE ON FUNCTION "
                  + "acme.names() TO leasehold_tenant"),
          violation(
              "definer-unbound",
              "hidden.one()",
              "CREATE SCHEMA hidden; CREATE FUNCTION hidden.one() RETURNS int SECURITY "
                  + "DEFINER LANGUAGE sql SET search_path = pg_catalog RETURN 1;CREATE VIEW "
                  + "acme.one WITH (security_invoker = true) AS SELECT hidden.one() AS one; "
                  + "GRANT SELECT ON acme.one TO leasehold_tenant"),
          violation(
              "definer-public",
              "theirs.one()",
              "CREATE SCHEMA theirs; GRANT USAGE ON SCHEMA theirs TO leasehold_tenant;"
                  + "CREATE FUNCTION theirs.one() RETURNS int SECURITY DEFINER LANGUAGE sql SET "
                  + "search_path = pg_catalog RETURN 1"),
          violation(
              "function-leakproof",
              "acme.tell(text)",
              "CREATE FUNCTION acme.tell(text) RETURNS boolean LEAKPROOF COST 0.1 LANGUAGE "
                  + "plpgsql AS 'BEGIN RAISE NOTICE ''%'', $1; RETURN true; END'; GRANT EXECUTE "
                  + "ON FUNCTION acme.tell(text) TO leasehold_tenant"));

  private ReachViolations() {}
}
