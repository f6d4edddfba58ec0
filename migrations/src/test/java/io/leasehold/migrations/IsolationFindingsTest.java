package io.leasehold.migrations;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class IsolationFindingsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  // How the server writes the name of a rule back.
  private static final Pattern RULE =
      Pattern.compile("(?:SELECT|THEN|ELSE) '([a-z]+(?:-[a-z]+)+)'");

  /** What somebody does to the database that the module {@code acme} was migrated in. */
  record Violation(String rule, String object, String sql) {

    @Override
    public String toString() {
      return rule + ": " + sql;
    }
  }

  static final List<Violation> VIOLATIONS =
      List.of(
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
                  + " current_database()); END $$"));

  private static Violation violation(String rule, String object, String sql) {
    return new Violation(rule, object, sql);
  }

  @BeforeAll
  static void migrateModule() throws SQLException {
    new Migrator(TestConfig.of(database)).and(TestConfig.ACME).migrate();
  }

  @ParameterizedTest
  @ValueSource(strings = {"leasehold_tenant", "leasehold_engine", "leasehold_owner"})
  void findsNothingInAnOrderlyDatabase(String role) throws SQLException {
    try (var session = new Session(database.connectAs(role))) {
      var findings = session.ask("SELECT f::text FROM leasehold.isolation_findings() AS f");

      assertThat(findings).isEmpty();
    }
  }

  @ParameterizedTest
  @FieldSource("VIOLATIONS")
  void reports(Violation planted) throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run(planted.sql());

      var found = session.ask("SELECT object FROM " + of(planted));

      assertThat(found).contains(planted.object());
    }
  }

  @ParameterizedTest
  @FieldSource("VIOLATIONS")
  void tellsHowToMend(Violation planted) throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run(planted.sql());

      for (var remedy : session.ask("SELECT remedy FROM " + of(planted))) {
        session.run(remedy);
      }

      assertThat(session.ask("SELECT f::text FROM " + of(planted))).isEmpty();
    }
  }

  @Test
  void everyRuleHasItsViolation() throws SQLException {
    try (var session = new Session(database.connectAsAdministrator())) {
      var views =
          session.ask(
              "SELECT pg_get_viewdef(oid) FROM pg_class WHERE relname LIKE 'finding\\_of\\_%'");

      var rules =
          views.stream()
              .flatMap(view -> RULE.matcher(view).results())
              .map(found -> found.group(1))
              .collect(toSet());

      assertThat(VIOLATIONS).extracting(Violation::rule).containsAll(rules);
      assertThat(rules).hasSizeGreaterThan(20);
    }
  }

  @Test
  void findsNothingInALoginThatIsAMemberOfOneRole() throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run("CREATE ROLE app LOGIN; GRANT leasehold_tenant TO app");

      var found = session.ask("SELECT f::text FROM leasehold.isolation_findings() AS f");

      assertThat(found).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"leasehold_owner", "app"})
  void refusesTheOwnerAsTheEngine(String role) throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run("CREATE ROLE app LOGIN; GRANT leasehold_engine, leasehold_owner TO app");
      session.run("SET SESSION AUTHORIZATION " + role);

      var found =
          session.ask(
              "SELECT problem FROM leasehold.session_findings('leasehold_engine')"
                  + " WHERE rule = 'session-role'");

      assertThat(found).contains("is leasehold_owner, or a member of it");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"leasehold_tenant", "leasehold_engine"})
  void takesAMemberForTheRole(String role) throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run("CREATE ROLE app LOGIN; GRANT %s TO app".formatted(role));
      session.run("SET SESSION AUTHORIZATION app");

      var found =
          session.ask(
              "SELECT rule FROM leasehold.session_findings('%s')".formatted(role)
                  + " WHERE rule = 'session-role'");

      assertThat(found).isEmpty();
    }
  }

  @Test
  void leavesOutWhatBelongsToAnExtension() throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run("CREATE EXTENSION pg_trgm SCHEMA public");
      session.run("CREATE TABLE public.note (tenant_id uuid NOT NULL)");
      session.run("ALTER EXTENSION pg_trgm ADD TABLE public.note");

      var found = session.ask("SELECT f::text FROM leasehold.isolation_findings() AS f");

      assertThat(found).isEmpty();
    }
  }

  private static String of(Violation planted) {
    return "leasehold.isolation_findings() AS f WHERE rule = '%s'".formatted(planted.rule());
  }
}
