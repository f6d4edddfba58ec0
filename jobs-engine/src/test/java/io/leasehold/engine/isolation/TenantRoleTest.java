package io.leasehold.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Raw SQL as the tenants' role, for one tenant, with every id, token and worker of the other's jobs
 * at hand: whatever the catalogue says that the role may call or name.
 */
class TenantRoleTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final String NO_RIGHT = "42501";
  private static final Set<String> ENDS_OR_STARTS =
      Set.of(
          "submit",
          "cancel",
          "retry",
          "delete",
          "finish",
          "retry_all",
          "discard_all",
          "keep_step",
          "keep_checkpoint",
          "keep_output",
          "pause_schedule",
          "remove_schedule");

  private final TenantId own = new TenantId(UUID.randomUUID());
  private final TenantId foreign = new TenantId(UUID.randomUUID());

  private Connection administrator;
  private Connection tenants;
  private Victim victim;

  @BeforeEach
  void store() throws SQLException {
    administrator = database.connectAsAdministrator();
    tenants = database.connectAs("leasehold_tenant");
    tenants.setAutoCommit(false);
    victim = Victim.of(administrator, foreign);
  }

  @AfterEach
  void close() throws SQLException {
    tenants.close();
    administrator.close();
  }

  /** A function that the role may call: its name, and the types of its parameters. */
  private record Callable(String name, List<String> parameters) {

    /** Files have names of the engine's own, and handlers, which a submission begins with. */
    private List<String> words(Map<String, List<String>> values, String parameter, boolean first) {
      if (name.startsWith("submit") && first) {
        return List.of("'gts.x.core.jobs.handler.v1~a.b.c.d.v1'");
      }
      return name.equals("keep_output") && parameter.equals("text")
          ? List.of("'output-1-0'")
          : values.getOrDefault(parameter, List.of("NULL::" + parameter));
    }

    /** With the values that a type can be given, each in turn. */
    List<String> calls(Map<String, List<String>> values) {
      var lists = List.of("");
      for (var parameter : parameters) {
        var more = new ArrayList<String>();
        for (var begun : lists) {
          for (var value : words(values, parameter, begun.isEmpty())) {
            more.add(begun.isEmpty() ? value : begun + ", " + value);
          }
        }
        lists = more;
      }
      return lists.stream().map(list -> "leasehold.%s(%s)".formatted(name, list)).toList();
    }
  }

  private List<Callable> callable() throws SQLException {
    return victim
        .strings(
            """
            SELECT concat_ws(' ', proname, (SELECT string_agg(parameter::regtype::text, ';' ORDER BY place)
              FROM unnest(proargtypes) WITH ORDINALITY AS parameters (parameter, place)))
            FROM pg_proc WHERE pronamespace = 'leasehold'::regnamespace AND prokind = 'f'
              AND has_function_privilege('leasehold_tenant', oid, 'EXECUTE')
            """)
        .stream()
        .map(
            text -> {
              var parts = text.split(" ", 2);
              return new Callable(
                  parts[0], parts.length == 1 ? List.of() : List.of(parts[1].split(";", -1)));
            })
        .toList();
  }

  /** All that can be known about a job, by the types that functions take. */
  private Map<String, List<String>> known(JobId job) throws SQLException {
    var uuids =
        new LinkedHashSet<>(List.of("'%s'::uuid".formatted(job), "'%s'::uuid".formatted(foreign)));
    var numbers = new LinkedHashSet<>(List.of("0", "1"));
    for (var fence : victim.fences()) {
      uuids.add(fence.split(", ", 2)[0] + "::uuid");
      numbers.add(fence.split(", ", 2)[1]);
    }
    return Map.of(
        "uuid", List.copyOf(uuids),
        "uuid[]", List.of("ARRAY['%s']::uuid[]".formatted(job)),
        "bigint", List.copyOf(numbers),
        "smallint", List.of("1::smallint"),
        "integer", List.of("1"),
        "boolean", List.of("true"),
        "text", List.of("'elsewhere'"),
        "json", List.of("'1'::json", "'{}'::json"),
        "json[]", List.of("ARRAY['1']::json[]"),
        "text[]", List.of("ARRAY['%s%s']".formatted(Victim.KEY.replace("'", "''"), job)));
  }

  @Test
  void noFunctionReachesAnotherTenantsJob() throws SQLException {
    var functions = callable();
    var before = victim.rows();
    var calls = 0;

    for (var function : functions) {
      for (var job : victim.jobs()) {
        for (var call : function.calls(known(job))) {
          var shown = run(own, "SELECT * FROM " + call + " AS answer");
          calls++;

          assertThat(shown).as(call).doesNotContain(Victim.CANARY);
        }
      }
      assertThat(victim.rows()).as(function.toString()).isEqualTo(before);
    }

    assertThat(functions).extracting(Callable::name).containsAll(ENDS_OR_STARTS);
    assertThat(calls).isGreaterThan(200);
  }

  @Test
  void theSameCallsReachTheJobForItsOwnTenant() throws SQLException {
    var before = victim.rows();

    for (var function : callable()) {
      if (ENDS_OR_STARTS.contains(function.name())) {
        var reached = false;
        for (var job : victim.jobs()) {
          for (var call : function.calls(known(job))) {
            run(foreign, "SELECT * FROM " + call + " AS answer");
          }
          reached |= !victim.rows().equals(before);
        }

        assertThat(reached).as(function.toString()).isTrue();
        before = victim.rows();
        victim = Victim.of(administrator, foreign);
        before = victim.rows();
      }
    }
  }

  @Test
  void noTableCanBeWritten() throws SQLException {
    var before = victim.rows();

    for (var table : tables("'r', 'p', 'v'")) {
      for (var statement :
          List.of(
              "INSERT INTO %s SELECT * FROM %1$s",
              "INSERT INTO %s DEFAULT VALUES",
              "UPDATE %s SET tenant_id = tenant_id",
              "DELETE FROM %s",
              "TRUNCATE %s",
              "LOCK TABLE %s IN ACCESS EXCLUSIVE MODE",
              "SELECT tenant_id FROM %s FOR UPDATE")) {
        assertThat(run(own, statement.formatted(table))).isIn(NO_RIGHT, "42809", "55000", "42703");
      }
    }

    assertThat(victim.rows()).isEqualTo(before);
  }

  @Test
  void noTableOrViewShowsAnotherTenantsRows() throws SQLException {
    var relations = tables("'r', 'p', 'v'");
    var seenByTheirOwn = 0;

    for (var relation : relations) {
      var columns =
          victim.strings(
              """
              SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = '%s'::regclass
                AND attnum > 0 AND has_column_privilege('leasehold_tenant', attrelid, attnum, 'SELECT')
              """
                  .formatted(relation));
      if (columns.isEmpty()) {
        assertThat(run(own, "SELECT * FROM " + relation)).isEqualTo(NO_RIGHT);
      } else {
        var all = "SELECT %s FROM %s".formatted(String.join(", ", columns), relation);
        assertThat(run(own, all)).as(relation).doesNotContain(foreign.toString());
        seenByTheirOwn += run(foreign, all).contains(foreign.toString()) ? 1 : 0;
      }
    }

    assertThat(seenByTheirOwn).isGreaterThan(8);
  }

  @Test
  void neitherInputNorFenceTokenCanBeRead() throws SQLException {
    for (var statement :
        List.of(
            "SELECT input FROM leasehold.job",
            "SELECT input FROM leasehold.schedule",
            "SELECT worker_id FROM leasehold.lease",
            "SELECT value FROM leasehold.step",
            "SELECT value FROM leasehold.checkpoint",
            "SELECT worker_id FROM leasehold.attempt",
            "SELECT * FROM leasehold.worker",
            "SELECT nextval('leasehold.lease_token')",
            "SELECT last_value FROM leasehold.lease_token",
            "SET ROLE leasehold_engine",
            "SET ROLE leasehold_owner")) {
      assertThat(run(foreign, statement)).as(statement).isEqualTo(NO_RIGHT);
    }
  }

  /** With a worker's id, a tenant could store a leased job. No tenant knows such an id. */
  @Test
  void noLeaseCanBeForged() throws SQLException {
    var worker = UUID.randomUUID();
    var call =
        """
        SELECT token FROM leasehold.submit_leased('%s', 'q', 1::smallint, 1::smallint, NULL, 'ann',
          NULL, '1', NULL, NULL, '%s', 60000, 'requeue')
        """
            .formatted("gts.x.core.jobs.handler.v1~a.b.c.d.v1", worker);
    var count = "SELECT count(*) FROM leasehold.lease WHERE tenant_id = '%s'".formatted(own);

    assertThat(run(own, call)).isEmpty();
    assertThat(victim.strings(count)).containsExactly("0");
    assertThat(victim.strings(count.replace(".lease", ".job"))).containsExactly("0");

    victim.execute(
        """
        INSERT INTO leasehold.worker (id, name, version, queues, capacity, started_at, seen_at)
        VALUES ('%s', 'w', '1', '{}', 1, now(), now())
        """
            .formatted(worker));
    assertThat(run(own, call)).isNotEmpty();
    assertThat(victim.strings(count)).containsExactly("1");
    assertThat(run(null, call)).isEqualTo(NO_RIGHT);
  }

  @Test
  void withoutATenantFunctionsReturnNothing() throws SQLException {
    var before = victim.rows();

    for (var function : callable()) {
      for (var call : function.calls(known(victim.jobs().getFirst()))) {
        assertThat(run(null, "SELECT * FROM " + call + " AS answer")).doesNotContain(Victim.CANARY);
      }
    }
    assertThat(run(null, "SELECT * FROM leasehold.job_status_v")).isEmpty();

    assertThat(victim.rows()).isEqualTo(before);
  }

  private List<String> tables(String kinds) throws SQLException {
    return victim.strings(
        """
        SELECT attrelid::regclass::text FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = 'leasehold'::regnamespace AND relkind IN (%s) AND attname = 'tenant_id'
        """
            .formatted(kinds));
  }

  /**
   * Runs and commits a statement, and answers all that it showed, or the SQLSTATE of its failure.
   */
  private String run(@Nullable TenantId tenant, String sql) throws SQLException {
    try (var statement = tenants.createStatement()) {
      if (tenant != null) {
        database.enterTenant(tenants, tenant.toString());
      }
      var shown = new StringBuilder();
      if (statement.execute(sql)) {
        var rows = statement.getResultSet();
        while (rows.next()) {
          for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
            shown.append(rows.getString(i)).append('\n');
          }
        }
      }
      tenants.commit();
      return shown.toString();
    } catch (SQLException e) {
      tenants.rollback();
      return String.valueOf(e.getSQLState());
    }
  }
}
