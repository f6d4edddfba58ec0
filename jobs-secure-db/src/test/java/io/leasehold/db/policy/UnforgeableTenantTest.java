package io.leasehold.db.policy;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.Acme.BOB;
import static io.leasehold.db.Acme.CAT;
import static io.leasehold.db.OpenAcme.order;
import static io.leasehold.db.acme.Tables.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.inline;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.PlatformCall;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.connection.RolePool;
import io.leasehold.db.connection.TenantProof;
import io.leasehold.db.scope.DeclaredTables;
import io.leasehold.db.transaction.Limits;
import io.leasehold.db.transaction.PooledTransactions;
import io.leasehold.jobs.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SQL of any kind, sent as the tenant role in transactions that the platform opened, reaches no row
 * of another tenant: whatever it sets, enters, ends, begins, prepares or replays.
 */
class UnforgeableTenantTest {

  private static final Logger log = LoggerFactory.getLogger(UnforgeableTenantTest.class);

  private static final long SEED = Long.getLong("leasehold.seed", 20_261_119L);
  private static final int ATTEMPTS =
      "full".equals(System.getProperty("leasehold.proof")) ? 6_000 : 1_100;

  private static final String OWN = ANN.toString();
  private static final String FOREIGN = BOB.toString();

  // What the tenant role may normally not even call: the proof has to hold without that.
  private static final String OPENED =
      """
      GRANT EXECUTE ON FUNCTION query_to_xml(text, boolean, boolean, text), ts_stat(text)
        TO leasehold_tenant
      """;

  @RegisterExtension
  static final OpenAcme acme = new OpenAcme(limits -> limits.tenantConnections(1));

  private static List<Attempt> probes = List.of();
  private static List<Relation> filled = List.of();

  private RolePool tenants;
  private RolePool engine;
  private RecordedConnections recorded;
  private PooledTransactions transactions;

  @BeforeAll
  static void fillEveryTable() throws SQLException {
    acme.acme().execute(OPENED);
    try (var administrator = acme.acme().database().connectAsAdministrator()) {
      var catalogue = new Catalogue(administrator);
      var relations =
          catalogue.relations().stream().filter(it -> it.name().startsWith("acme.")).toList();
      var fill = new FillTables(administrator);
      fill.with(relations, List.of(ANN, BOB, CAT), BOB);
      var all = new ArrayList<Attempt>();
      for (var relation : relations) {
        for (var attempt : new TableAttempts(relation, OWN, FOREIGN).all()) {
          all.add(new Attempt(attempt.what(), fill.withParents(attempt.sql()), attempt.kind()));
        }
      }
      probes = List.copyOf(all);
      filled = relations.stream().filter(Relation::isFilled).toList();
    }
  }

  @BeforeEach
  void open() throws SQLException {
    var config = acme.config(acme.acme().database().jdbcUrl());
    var limits = Limits.of(config, acme.serverVersion(), true);
    tenants = RolePool.ofTenants(config, false, limits.ofSession());
    engine = RolePool.ofEngine(config, false, limits.ofSession());
    recorded = new RecordedConnections(tenants.dataSource());
    transactions =
        new PooledTransactions(
            recorded, engine.dataSource(), DeclaredTables.of(OpenAcme.TABLES), limits, false);
  }

  private static void proveBy(String way) throws SQLException {
    acme.acme().execute("SELECT leasehold.prove_tenants_by('%s')".formatted(way));
  }

  @AfterEach
  void close() {
    transactions.close();
    tenants.close();
    engine.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"parameter", "seal"})
  void noForgeryReachesAForeignRow(String way) throws SQLException {
    proveBy(way);
    var forgeries = new ArrayList<>(Forgery.all(OWN, FOREIGN, replayed()));
    var random = new Random(SEED);
    Collections.shuffle(forgeries, random);
    var breaches = new ArrayList<String>();

    var effective = 0;
    try (var administrator = acme.acme().database().connectAsAdministrator()) {
      var rows = ForeignRows.of(administrator, filled, OWN);
      for (int i = 0; i < ATTEMPTS; i++) {
        var forgery = forgeries.get(i % forgeries.size());
        var probe = probes.get(random.nextInt(probes.size()));
        var attacker = new Attacker(forgery, probe, rows);
        transactions.asTenant(Acme.of(ANN), tx -> tx.dsl().fetchCount(ORDERS) + attacker.run());
        attacker.breach().ifPresent(breaches::add);
        effective += attacker.wasTaken() ? 1 : 0;
        requireOnlyOwnRows(BOB);
      }
    }

    log.info(
        "{} attempts with {} forgeries by {}, {} of them taken by the server; seed {}",
        ATTEMPTS,
        forgeries.size(),
        way,
        effective,
        SEED);
    assertThat(breaches).as("seed %d", SEED).isEmpty();
    assertThat(effective).as("forgeries that the server took").isGreaterThan(ATTEMPTS / 10);
  }

  /** Sends a forgery and a probe over the connection of the running transaction. */
  private final class Attacker {

    private final Forgery forgery;
    private final Attempt probe;
    private final ForeignRows rows;
    private String breach = "";
    private boolean taken;

    Attacker(Forgery forgery, Attempt probe, ForeignRows rows) {
      this.forgery = forgery;
      this.probe = probe;
      this.rows = rows;
    }

    int run() throws SQLException {
      var intruder =
          new Intruder(recorded.last(), this::forge, List.of(FOREIGN, CAT.toString()), rows);
      breach = intruder.breachBy(probe).map(found -> forgery + " and " + found).orElse("");
      return 0;
    }

    private void forge(Connection raw) throws SQLException {
      try (var statement = raw.createStatement()) {
        statement.execute("SAVEPOINT before_forgery");
        try {
          statement.execute(forgery.sql());
          taken = true;
        } catch (SQLException e) {
          statement.execute("ROLLBACK TO SAVEPOINT before_forgery");
        }
      } catch (SQLException e) {
        raw.rollback(); // The forgery ended the transaction, and then failed.
      }
    }

    Optional<String> breach() {
      return breach.isEmpty() ? Optional.empty() : Optional.of(breach);
    }

    boolean wasTaken() {
      return taken;
    }
  }

  private void requireOnlyOwnRows(TenantId tenant) {
    var seen =
        transactions.asTenant(
            Acme.of(tenant), tx -> tx.selectFrom(ORDERS).fetchSet(ORDERS.TENANT_ID));

    assertThat(seen).as("tenants that the next transaction on the connection sees").hasSize(1);
    assertThat(String.valueOf(seen.iterator().next())).isEqualTo(tenant.toString());
  }

  /** Proofs for another server process, and the seal that an earlier transaction had here. */
  private List<String> replayed() throws SQLException {
    var seals = new ArrayList<String>();
    transactions.asTenant(
        Acme.of(BOB),
        tx -> {
          var count = tx.dsl().fetchCount(ORDERS);
          seals.add(ask(recorded.last(), "SELECT current_setting('leasehold.seal', true)"));
          seals.add(ask(recorded.last(), "SELECT current_setting('backtrace_functions', true)"));
          return count;
        });
    try (var foreign = acme.acme().database().connectAs("leasehold_tenant");
        var forging = tenants.dataSource().getConnection()) {
      seals.add(new TenantProof(UnforgeableTenantTest::key, false).of(FOREIGN, foreign));
      seals.add(new TenantProof(() -> new byte[32], false).of(FOREIGN, forging));
      seals.add(new TenantProof(UnforgeableTenantTest::key, false).of(OWN, foreign));
    }
    seals.removeIf(seal -> seal.isEmpty() || seal.equals("null"));
    return seals;
  }

  private static byte[] key() {
    try {
      return HexFormat.of()
          .parseHex(acme.look("SELECT encode(secret, 'hex') FROM leasehold.tenant_key").getFirst());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String ask(Connection raw, String sql) throws SQLException {
    try (var statement = raw.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return String.valueOf(rows.getString(1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"parameter", "seal"})
  void noSqlShowsTheProofThatOpenedItsTransaction(String way) throws SQLException {
    proveBy(way);
    for (int i = 0; i < 20; i++) {
      requireOnlyOwnRows(ANN); // The driver keeps the opening on the server.
    }
    var shown = new StringBuilder();

    var proof =
        transactions.asTenant(
            Acme.of(ANN),
            tx -> {
              tx.dsl().fetchCount(ORDERS);
              var raw = recorded.last();
              for (var sql :
                  List.of(
                      "SELECT string_agg(setting, ' ') FROM pg_settings",
                      "SELECT string_agg(query, ' ') FROM pg_stat_activity",
                      "SELECT string_agg(statement, ' ') FROM pg_prepared_statements",
                      "SELECT string_agg(statement, ' ') FROM pg_cursors",
                      "SELECT current_setting('leasehold.seal', true)")) {
                shown.append(ask(raw, sql)).append('\n');
              }
              return new TenantProof(UnforgeableTenantTest::key, false).of(OWN, raw);
            });

    assertThat(shown.toString()).contains("enter_tenant").doesNotContain(proof.substring(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"parameter", "seal"})
  void aConnectionWithAStatementPreparedInSqlIsClosed(String way) throws SQLException {
    proveBy(way);
    for (int i = 0; i < 20; i++) {
      requireOnlyOwnRows(BOB); // The driver keeps the statement on the server.
    }
    var poison =
        """
        DO $do$ DECLARE kept record;
        BEGIN
          FOR kept IN SELECT * FROM pg_prepared_statements WHERE NOT from_sql LOOP
            EXECUTE format('DEALLOCATE %I', kept.name);
            EXECUTE format('PREPARE %I%s AS DELETE FROM acme.orders', kept.name,
              CASE WHEN cardinality(kept.parameter_types) > 0
                THEN '(' || array_to_string(kept.parameter_types, ', ') || ')' ELSE '' END);
          END LOOP;
        END $do$
        """;

    var process =
        transactions.asTenant(
            Acme.of(ANN),
            tx -> {
              order(tx, way);
              try (var statement = recorded.last().createStatement()) {
                statement.execute(poison);
              }
              return process(recorded.last());
            });

    requireOnlyOwnRows(BOB);
    assertThat(ordersOf(BOB)).isPositive();
    assertThat(process()).isNotEqualTo(process);
  }

  @Test
  void settingsOfAnotherTenantDoNotApplyToACall() throws SQLException {
    proveBy("parameter");
    var looking = PlatformCall.of("look_at_setting", SQLDataType.VARCHAR, SQLDataType.VARCHAR);
    acme.acme()
        .execute(
            """
            CREATE FUNCTION leasehold.look_at_setting(setting text, tenants text, proof text)
              RETURNS text LANGUAGE sql RETURN current_setting(setting);
            CREATE FUNCTION leasehold.look_at_setting(setting text) RETURNS text LANGUAGE sql
              RETURN current_setting(setting);
            GRANT EXECUTE ON FUNCTION leasehold.look_at_setting(text),
              leasehold.look_at_setting(text, text, text) TO leasehold_tenant;
            """);
    transactions.asTenant(
        Acme.of(ANN),
        tx -> {
          var count = tx.dsl().fetchCount(ORDERS);
          ask(recorded.last(), "SELECT set_config('synchronous_commit', 'off', false)");
          return count;
        });

    var seen =
        transactions.asTenant(
            Acme.of(BOB),
            TransactionOptions.defaults().asOneStatement(),
            tx -> tx.call(looking.provenBy("look_at_setting"), "synchronous_commit"));

    assertThat(seen).isEqualTo("on");
  }

  private static int ordersOf(TenantId tenant) throws SQLException {
    return acme.ordersOf(tenant).size();
  }

  /** The server process of the pool's one connection. */
  private String process() throws SQLException {
    try (var connection = tenants.dataSource().getConnection()) {
      return process(connection);
    }
  }

  private static String process(Connection connection) throws SQLException {
    return ask(connection, "SELECT pg_backend_pid()");
  }

  @ParameterizedTest
  @ValueSource(strings = {"parameter", "seal"})
  void runningProcessesUseARotatedKey(String way) throws SQLException {
    proveBy(way);
    requireOnlyOwnRows(ANN);

    acme.acme().execute("SELECT leasehold.rotate_tenant_key()");
    requireOnlyOwnRows(ANN);
    acme.acme().execute("SELECT leasehold.rotate_tenant_key(true)");

    assertThatThrownBy(() -> requireOnlyOwnRows(ANN)).hasMessageContaining("its key was replaced");
    requireOnlyOwnRows(ANN);
    requireOnlyOwnRows(BOB);
  }

  @ParameterizedTest
  @ValueSource(strings = {"parameter", "seal"})
  void noForgedProofSubmitsAJob(String way) throws SQLException {
    proveBy(way);
    var proofs = Forgery.proofs(replayed());

    transactions.asTenant(
        Acme.of(ANN),
        tx -> {
          var count = tx.dsl().fetchCount(ORDERS);
          for (var tenants : List.of(FOREIGN, FOREIGN + "," + OWN, OWN + "," + FOREIGN)) {
            for (var proof : proofs) {
              assertThat(submitAs(recorded.last(), tenants, proof)).isNotEqualTo("00000");
            }
          }
          var own = new TenantProof(UnforgeableTenantTest::key, false).of(OWN, recorded.last());
          assertThat(submitAs(recorded.last(), OWN, own)).isEqualTo("00000");
          assertThat(submitAs(recorded.last(), FOREIGN, own)).isEqualTo("28L01");
          assertThat(submitAs(recorded.last(), FOREIGN, null)).isEqualTo("00000"); // Its own.
          return count;
        });

    assertThat(acme.look("SELECT DISTINCT tenant_id FROM leasehold.job")).containsExactly(OWN);
  }

  private static String submitAs(Connection raw, String tenants, @Nullable String proof)
      throws SQLException {
    try (var savepoint = raw.createStatement();
        var submit =
            raw.prepareStatement(
                "SELECT leasehold.submit_as('gts.x.core.jobs.handler.v1~a.b.c.d.v1', 'q',"
                    + " 0::smallint, 1::smallint, NULL, 0, 'eve', NULL, '1', NULL, ?, ?)")) {
      savepoint.execute("SAVEPOINT before_submission");
      submit.setString(1, tenants);
      submit.setString(2, proof);
      try {
        submit.execute();
        return "00000";
      } catch (SQLException e) {
        savepoint.execute("ROLLBACK TO SAVEPOINT before_submission");
        return e.getSQLState();
      }
    }
  }

  @Test
  void aReplacedKeyIsAcceptedForAnHour() throws SQLException {
    proveBy("parameter");
    var database = acme.acme().database();
    var proof = database.proofOf(OWN);
    acme.acme().execute("SELECT leasehold.rotate_tenant_key()");

    try (var raw = database.connectAs("leasehold_tenant");
        var enter = raw.createStatement()) {
      var entering = "SELECT leasehold.enter_tenant('%s', '%s')".formatted(OWN, proof);
      assertThat(enter.execute(entering)).isTrue();
      acme.acme()
          .execute(
              "UPDATE leasehold.tenant_key SET accepted_until = accepted_until - interval '61"
                  + " minutes'");

      assertThatThrownBy(() -> enter.execute(entering)).hasMessageContaining("is not proven");
    }
  }

  @Test
  void aModulesFunctionCannotEnterATenant() throws SQLException {
    proveBy("parameter");

    assertThatThrownBy(
            () ->
                transactions.asTenant(
                    Acme.of(ANN),
                    tx ->
                        tx.dsl()
                            .fetch(
                                OpenAcme.call(
                                    "leave_setting",
                                    inline("backtrace_functions"),
                                    inline(FOREIGN)))))
        .hasMessageContaining("permission denied");
  }
}
