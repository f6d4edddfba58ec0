package io.leasehold.migrations;

import static io.leasehold.migrations.Violation.violation;

import java.util.List;

/** What is done to tables, their policies and their keys. */
final class TableViolations {

  static final List<Violation> ALL =
      List.of(
          violation(
              "policy-foreign",
              "acme.customer",
              "SELECT leasehold.mirror('acme.customer', id => 'id', status => 'name');"
                  + " DELETE FROM leasehold.mirror_table"),
          violation(
              "row-security-off",
              "acme.customer",
              "ALTER TABLE acme.customer DISABLE ROW LEVEL SECURITY"),
          violation(
              "row-security-off",
              "public.note",
              "CREATE TABLE public.note (tenant_id uuid NOT NULL)"),
          violation(
              "row-security-off",
              "acme.visit_2027",
              "CREATE TABLE acme.visit_2027 PARTITION OF acme.visit"
                  + " FOR VALUES FROM ('2027-01-01') TO ('2028-01-01')"),
          violation(
              "row-security-not-forced",
              "acme.\"order\"",
              "ALTER TABLE acme.\"order\" NO FORCE ROW LEVEL SECURITY"),
          violation(
              "policy-missing", "acme.customer", "DROP POLICY tenant_updates ON acme.customer"),
          violation(
              "policy-missing",
              "acme.customer",
              "ALTER POLICY tenant_reads ON acme.customer USING (true)"),
          violation(
              "policy-missing",
              "acme.customer",
              "ALTER POLICY tenant_reads ON acme.customer TO PUBLIC"),
          violation(
              "policy-foreign",
              "acme.visit_2026",
              "CREATE POLICY generous ON acme.visit_2026 USING (true)"),
          violation(
              "tenant-nullable",
              "acme.gift",
              "CREATE TABLE acme.gift (tenant_id uuid, id uuid PRIMARY KEY)"),
          violation(
              "tenant-not-uuid",
              "acme.gift",
              "CREATE TABLE acme.gift (tenant_id text NOT NULL, id uuid PRIMARY KEY)"),
          violation(
              "tenant-unlogged",
              "acme.gift",
              "CREATE UNLOGGED TABLE acme.gift (tenant_id uuid NOT NULL, id uuid PRIMARY KEY);"
                  + "SELECT leasehold.protect('acme.gift')"),
          violation(
              "inherits-from-shared",
              "acme.gift",
              "CREATE TABLE acme.present (id uuid); SELECT leasehold.share('acme.present');"
                  + "CREATE TABLE acme.gift (tenant_id uuid NOT NULL) INHERITS (acme.present);"
                  + "SELECT leasehold.protect('acme.gift')"),
          violation(
              "engine-beyond-queue",
              "acme.customer",
              "GRANT SELECT ON acme.customer TO leasehold_engine"),
          violation(
              "key-without-tenant",
              "acme.customer",
              "ALTER TABLE acme.customer ADD CONSTRAINT one_name UNIQUE (name)"),
          violation(
              "key-without-tenant",
              "acme.customer",
              "CREATE UNIQUE INDEX one_name ON acme.customer (lower(name)) INCLUDE (tenant_id)"),
          violation(
              "key-without-tenant",
              "acme.gift",
              "CREATE TABLE acme.gift (tenant_id uuid NOT NULL, number bigint PRIMARY KEY)"),
          violation(
              "reference-without-tenant",
              "acme.\"order\"",
              "ALTER TABLE acme.\"order\" ADD CONSTRAINT any_customer"
                  + " FOREIGN KEY (customer_id) REFERENCES acme.customer (id) ON DELETE CASCADE"),
          violation(
              "reference-from-shared",
              "acme.country",
              "ALTER TABLE acme.country ADD COLUMN founder uuid REFERENCES acme.customer (id)"),
          violation(
              "row-security-off",
              "public.note",
              "CREATE TABLE public.note (tenant_id uuid NOT NULL);CREATE EXTENSION pg_trgm "
                  + "SCHEMA public;ALTER EXTENSION pg_trgm ADD TABLE public.note"),
          violation(
              "row-security-off",
              "hidden.note",
              "CREATE SCHEMA hidden; CREATE TABLE hidden.note (tenant_id uuid NOT NULL);"
                  + "GRANT SELECT ON hidden.note TO leasehold_tenant"),
          violation(
              "row-security-off",
              "hidden.note",
              "CREATE SCHEMA hidden; CREATE TABLE hidden.note (tenant_id uuid NOT NULL);"
                  + "GRANT SELECT ON hidden.note TO PUBLIC; CREATE VIEW acme.note WITH "
                  + "(security_invoker = true) AS SELECT * FROM hidden.note; GRANT SELECT ON "
                  + "acme.note TO leasehold_tenant"),
          violation(
              "inherits-from-shared",
              "hidden.gift",
              "CREATE TABLE acme.present (id uuid); SELECT leasehold.share('acme.present');"
                  + " CREATE SCHEMA hidden; CREATE TABLE hidden.gift (tenant_id uuid NOT NULL) "
                  + "INHERITS (acme.present);"),
          violation(
              "policy-missing",
              "acme.customer",
              "ALTER POLICY tenant_reads ON acme.customer USING (tenant_id IS NOT NULL);"
                  + "CREATE TABLE leasehold.policy_model (tenant_id uuid NOT NULL); SELECT "
                  + "leasehold.protect('leasehold.policy_model', true);ALTER POLICY tenant_reads "
                  + "ON leasehold.policy_model USING (tenant_id IS NOT NULL)"),
          violation(
              "policy-foreign",
              "acme.customer",
              "CREATE POLICY tenants_share ON acme.customer FOR SELECT TO leasehold_tenant "
                  + "USING (true)"),
          violation(
              "key-without-tenant",
              "acme.customer",
              "CREATE EXTENSION btree_gist SCHEMA public; ALTER TABLE acme.customer ADD "
                  + "CONSTRAINT one_name EXCLUDE USING gist (tenant_id public.gist_uuid_ops WITH "
                  + "OPERATOR(pg_catalog.<>), name public.gist_text_ops WITH "
                  + "OPERATOR(pg_catalog.=))"),
          violation(
              "key-without-tenant",
              "acme.customer",
              "CREATE EXTENSION btree_gist SCHEMA public; ALTER TABLE acme.customer ADD "
                  + "CONSTRAINT one_name EXCLUDE USING gist (name public.gist_text_ops WITH "
                  + "OPERATOR(pg_catalog.=))"));

  private TableViolations() {}
}
