package io.leasehold.db.policy;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.Acme.BOB;
import static io.leasehold.db.Acme.CAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.db.OpenAcme;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policies alone isolate, with the scoped DSL bypassed: raw JDBC as the tenants' role, against
 * everything that the catalogue lists, so that a new table, view or function is covered by itself.
 *
 * <p>SQL that tries to change its tenant is for {@code UnforgeableTenantTest}. Out of reach of the
 * policies: they do not keep a role from locking a whole table that it may write to, or from
 * changing the defaults of its own role for later sessions.
 */
class RowLevelSecurityTest {

  private static final Logger log = LoggerFactory.getLogger(RowLevelSecurityTest.class);

  private static final int ATTEMPTS_MIN = 450;
  private static final String OWN = ANN.toString();
  private static final String FOREIGN = BOB.toString();
  private static final List<String> OTHERS = List.of(FOREIGN, CAT.toString());
  private static final List<TenantId> TENANTS = List.of(ANN, BOB, CAT);

  // Which values a column takes is no matter of tenants, and would have to be taught for each.
  private static final String WITHOUT_CHECKS =
      """
      DO $$
      DECLARE bound record;
      BEGIN
        FOR bound IN SELECT conrelid::regclass AS checked, conname FROM pg_constraint
          WHERE contype = 'c' AND connamespace = 'leasehold'::regnamespace AND coninhcount = 0
        LOOP
          EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', bound.checked, bound.conname);
        END LOOP;
      END $$
      """;

  @RegisterExtension static final OpenAcme acme = new OpenAcme();

  private static Connection administrator;
  private static List<Relation> relations = List.of();
  private static List<Attempt> attempts = List.of();

  @BeforeAll
  static void fillEveryTable() throws SQLException, IOException {
    acme.acme().execute(script("shapes.sql"));
    acme.acme().execute(WITHOUT_CHECKS);
    administrator = acme.acme().database().connectAsAdministrator();
    var catalogue = new Catalogue(administrator);
    relations = catalogue.relations();
    var fill = new FillTables(administrator);
    fill.with(relations, TENANTS, BOB);
    acme.acme().execute("ANALYZE");
    attempts = attempts(catalogue, fill);
  }

  @AfterAll
  static void disconnect() throws SQLException {
    administrator.close();
  }

  private static List<Attempt> attempts(Catalogue catalogue, FillTables fill) throws SQLException {
    var all = new ArrayList<>(SchemaAttempts.all(List.of("leasehold", "acme", "shapes", "public")));
    for (var relation : relations) {
      for (var attempt : new TableAttempts(relation, OWN, FOREIGN).all()) {
        all.add(new Attempt(attempt.what(), fill.withParents(attempt.sql()), attempt.kind()));
      }
    }
    for (var routine : catalogue.routines()) {
      all.add(new Attempt("call", "SELECT " + routine.call(), Attempt.Kind.CALL));
      all.add(new Attempt("call", "SELECT * FROM " + routine.call(), Attempt.Kind.CALL));
    }
    return all;
  }

  private static List<Relation> filled() {
    return relations.stream().filter(Relation::isFilled).toList();
  }

  @ParameterizedTest
  @EnumSource
  void attemptsOnOtherTenantsFail(Settings settings) throws SQLException {
    var breaches = breaches("leasehold_tenant", settings, attempts);

    log.info(
        "{} attempts on {} relations with tenant settings {}",
        attempts.size(),
        relations.size(),
        settings);
    assertThat(breaches).isEmpty();
    assertThat(attempts).hasSizeGreaterThan(ATTEMPTS_MIN);
  }

  @Test
  void engineSeesNoBusinessRows() throws SQLException {
    var ofTables =
        attempts.stream()
            .filter(attempt -> attempt.sql().contains("acme.") || attempt.sql().contains("shapes."))
            .filter(attempt -> attempt.kind() != Attempt.Kind.CALL)
            .map(attempt -> Attempt.forbidden(attempt.what(), attempt.sql()))
            .toList();

    var breaches = breaches("leasehold_engine", Settings.UNSET, ofTables);

    assertThat(breaches).isEmpty();
    assertThat(ofTables).hasSizeGreaterThan(ATTEMPTS_MIN / 2);
  }

  /** Without this, a database in which nothing can be read would pass. */
  @Test
  void tenantReadsAndWritesItsOwnRows() throws SQLException {
    var tables = granted();

    try (var raw = rawConnection("leasehold_tenant");
        var statement = raw.createStatement()) {
      for (var table : tables) {
        Settings.OWN.on(raw, acme.acme().database(), OWN);
        assertThat(countOf(table, raw))
            .as("rows of %s", table)
            .isEqualTo(FillTables.ROWS_PER_TENANT);
        assertThat(
                statement.executeUpdate(
                    new FillTables(administrator).withParents(table.insert(OWN, OWN, 5))))
            .as("rows inserted into %s", table)
            .isEqualTo(1);
        raw.rollback();
      }
    }

    assertThat(tables).hasSizeGreaterThanOrEqualTo(5);
  }

  @Test
  void anotherTenantsKeyDoesNotConflict() throws SQLException {
    try (var raw = rawConnection("leasehold_tenant")) {
      for (var table : granted()) {
        assertThat(errorOfTakingAKeyOf(table, raw)).as("keys of %s", table).isEmpty();
      }
    }
  }

  @Test
  void detectATableWhoseKeyLacksTheTenant() throws SQLException {
    acme.acme()
        .execute(
            """
            CREATE TABLE acme.leaky (tenant_id uuid NOT NULL, id integer NOT NULL UNIQUE);
            ALTER TABLE acme.leaky OWNER TO leasehold_owner;
            GRANT SELECT, INSERT ON acme.leaky TO leasehold_tenant;
            SELECT leasehold.protect('acme.leaky');
            INSERT INTO acme.leaky VALUES ('%s', 1);
            """
                .formatted(FOREIGN));
    var leaky = relation("acme.leaky");

    try (var raw = rawConnection("leasehold_tenant")) {
      assertThat(errorOfTakingAKeyOf(leaky, raw)).isEqualTo("23505");
    } finally {
      acme.acme().execute("DROP TABLE acme.leaky");
    }
  }

  @Test
  void nameATableWithoutTestRows() throws SQLException {
    acme.acme().execute("CREATE TABLE acme.odd (tenant_id uuid NOT NULL, place point NOT NULL)");
    var odd = relation("acme.odd");

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> new FillTables(administrator).with(List.of(odd), TENANTS, BOB))
        .withMessageContaining("acme.odd");
    acme.acme().execute("DROP TABLE acme.odd");
  }

  /** Each opens one hole, which the attempts have to find. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ALTER TABLE acme.orders DISABLE ROW LEVEL SECURITY | ALTER TABLE acme.orders ENABLE ROW LEVEL SECURITY
          ALTER TABLE shapes.event_low DISABLE ROW LEVEL SECURITY | ALTER TABLE shapes.event_low ENABLE ROW LEVEL SECURITY
          CREATE POLICY hole ON acme.customer FOR SELECT TO leasehold_tenant USING (true) | DROP POLICY hole ON acme.customer
          CREATE POLICY hole ON acme.customer FOR INSERT TO leasehold_tenant WITH CHECK (true) | DROP POLICY hole ON acme.customer
          CREATE POLICY hole ON shapes.many_types FOR UPDATE TO leasehold_tenant WITH CHECK (true) | DROP POLICY hole ON shapes.many_types
          ALTER VIEW acme.order_v SET (security_invoker = false); ALTER VIEW acme.order_v OWNER TO postgres | ALTER VIEW acme.order_v SET (security_invoker = true); ALTER VIEW acme.order_v OWNER TO leasehold_owner
          ALTER FUNCTION shapes.events() SECURITY DEFINER; ALTER FUNCTION shapes.events() OWNER TO postgres | ALTER FUNCTION shapes.events() SECURITY INVOKER; ALTER FUNCTION shapes.events() OWNER TO leasehold_owner
          GRANT TRUNCATE ON shapes.event_part TO leasehold_tenant | REVOKE TRUNCATE ON shapes.event_part FROM leasehold_tenant
          GRANT leasehold_owner TO leasehold_tenant | REVOKE leasehold_owner FROM leasehold_tenant
          GRANT CREATE ON SCHEMA acme TO leasehold_tenant | REVOKE CREATE ON SCHEMA acme FROM leasehold_tenant
          """)
  void detectEveryMissingProtection(String hole, String mending) throws SQLException {
    acme.acme().execute(hole);
    try {
      assertThat(breaches("leasehold_tenant", Settings.OWN, attempts)).isNotEmpty();
    } finally {
      acme.acme().execute(mending);
    }
  }

  private static List<String> breaches(String role, Settings settings, List<Attempt> attempts)
      throws SQLException {
    var breaches = new ArrayList<String>();
    try (var raw = rawConnection(role)) {
      var rows = ForeignRows.of(administrator, filled(), OWN);
      var database = acme.acme().database();
      var intruder = new Intruder(raw, it -> settings.on(it, database, OWN), OTHERS, rows);
      for (var attempt : attempts) {
        intruder.breachBy(attempt).ifPresent(breaches::add);
      }
    } finally {
      administrator.setAutoCommit(true);
    }
    return breaches;
  }

  private static Relation relation(String name) throws SQLException {
    return new Catalogue(administrator)
        .relations().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  /** The state of the error of inserting another tenant's row as one's own, or nothing. */
  private static String errorOfTakingAKeyOf(Relation table, Connection raw) throws SQLException {
    var insert = table.insertLike(foreignRowAsJson(table), OWN);
    try (var statement = raw.createStatement()) {
      Settings.OWN.on(raw, acme.acme().database(), OWN);
      statement.execute(new FillTables(administrator).withParents(insert));
      return "";
    } catch (SQLException e) {
      return String.valueOf(e.getSQLState());
    } finally {
      raw.rollback();
    }
  }

  /** Another tenant's row whose primary key, the tenant apart, is not that of an own row. */
  private static String foreignRowAsJson(Relation table) throws SQLException {
    var sameKey =
        table.primaryKey().stream()
            .filter(column -> !column.equals(Column.TENANT) && !table.refersBy(column))
            .map(column -> " AND o.%1$s = t.%1$s".formatted(column))
            .collect(Collectors.joining());
    var rows =
        acme.look(
            """
            SELECT row_to_json(t) FROM %1$s t WHERE tenant_id = '%2$s'
            AND ('%4$s' = '' OR NOT EXISTS (SELECT FROM %1$s o WHERE o.tenant_id = '%3$s' %4$s))
            """
                .formatted(table, FOREIGN, OWN, sameKey));
    return rows.getFirst();
  }

  private static List<Relation> granted() throws SQLException {
    var granted = new ArrayList<Relation>();
    for (var table : filled()) {
      try (var statement = administrator.createStatement();
          var rows =
              statement.executeQuery(
                  """
                  SELECT has_table_privilege('leasehold_tenant', '%1$s', 'SELECT')
                    AND has_table_privilege('leasehold_tenant', '%1$s', 'INSERT')
                  """
                      .formatted(table))) {
        rows.next();
        if (rows.getBoolean(1)) {
          granted.add(table);
        }
      }
    }
    return granted;
  }

  private static int countOf(Relation table, Connection raw) throws SQLException {
    try (var statement = raw.createStatement();
        var rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static Connection rawConnection(String role) throws SQLException {
    var connection =
        DriverManager.getConnection(acme.acme().database().jdbcUrl(), role, TestDatabase.PASSWORD);
    connection.setAutoCommit(false);
    return connection;
  }

  private static String script(String name) throws IOException {
    try (var in = OpenAcme.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
