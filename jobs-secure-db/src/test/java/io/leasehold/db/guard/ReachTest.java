package io.leasehold.db.guard;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.acme.Tables.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.connection.Opening;
import io.leasehold.db.connection.RolePool;
import io.leasehold.db.connection.Session;
import io.leasehold.db.connection.UsedConnections;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jooq.Cursor;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.geometric.PGpoint;
import org.postgresql.util.PGInterval;
import org.postgresql.util.PGobject;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.PSQLWarning;
import org.postgresql.util.ServerErrorMessage;

/** From what a module's code can hold, nothing leads to the pool, the driver or the session. */
class ReachTest {

  @RegisterExtension static final OpenAcme acme = new OpenAcme();

  private static final List<String> FORBIDDEN =
      List.of("com.zaxxer.", "org.postgresql.", "io.leasehold.db.connection.");

  /** Values of the driver's, which have nothing but text and numbers in them. */
  private static final Set<Class<?>> VALUES =
      Set.of(
          PGInterval.class,
          PGobject.class,
          PGpoint.class,
          PSQLException.class,
          PSQLState.class,
          PSQLWarning.class,
          ServerErrorMessage.class);

  private static final String QUERY =
      """
      select array[1, 2] as numbers, array['\\x01'::bytea] as bytes, '<a/>'::xml as document,
        point(1, 2) as place, '{}'::json as json, gen_random_uuid() as id, now() as time,
        interval '1 hour' as span, row(1, 'a') as pair, 1.5 as price, '\\x01'::bytea as raw
      """;

  private static final Map<Class<?>, List<Object>> CANDIDATES =
      Map.of(
          int.class, List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, -1),
          long.class, List.of(1L),
          String.class, List.of(QUERY, "numbers", "document", "int4", "a"),
          Class.class,
              List.of(
                  Object.class,
                  String.class,
                  Connection.class,
                  PreparedStatement.class,
                  ResultSet.class,
                  java.sql.Array.class,
                  java.sql.SQLXML.class));

  private final Reach reach = new Reach(ReachTest::isForbidden, CANDIDATES);

  private static boolean isForbidden(Object object) {
    var type = object.getClass();
    return FORBIDDEN.stream().anyMatch(type.getName()::startsWith) && !VALUES.contains(type);
  }

  @Test
  void aConnectionReachesOnlyGuardedObjects() throws SQLException {
    withConnection(connection -> reach.from("connection", connection).walk());

    assertThat(reach.trespasses()).isEmpty();
    assertVisited(Connection.class, PreparedStatement.class, ResultSet.class);
    assertThat(reach.calls()).as("calls").isGreaterThan(4_000);
  }

  @Test
  void aStatementAndItsRowsReachOnlyGuardedObjects() throws SQLException {
    withConnection(
        connection -> {
          var statement = connection.prepareStatement(QUERY);
          var rows = statement.executeQuery();
          assertThat(rows.next()).isTrue();
          reach.from("rows", rows).from("statement", statement).walk();
        });

    assertThat(reach.trespasses()).isEmpty();
    assertVisited(PreparedStatement.class, ResultSet.class, ResultSetMetaData.class);
    assertVisited(java.sql.Array.class, java.sql.SQLXML.class, PGpoint.class);
    assertThat(reach.calls()).as("calls").isGreaterThan(4_000);
  }

  /** Work on the connection of a session, after which that is not used again. */
  @FunctionalInterface
  private interface Work {
    void run(Connection connection) throws SQLException;
  }

  private static void withConnection(Work work) throws SQLException {
    try (var pool = RolePool.ofTenants(acme.acme().config(), false, Map.of())) {
      var session =
          new Session(
              pool.dataSource(),
              new Opening("select set_config('acme.a', ?, true); ", List.of(_ -> "x"), 1),
              TransactionOptions.defaults(),
              () -> true,
              _ -> Optional.empty(),
              new UsedConnections());
      work.run(GuardedConnection.of(session, _ -> true));
      session.discard();
    }
  }

  @Test
  void aTransactionReachesOnlyGuardedObjects() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                acme.transactions()
                    .asTenant(
                        Acme.of(ANN),
                        tx -> {
                          walk(tx);
                          throw new IllegalStateException("walked through; not to be committed");
                        }));
    assertThat(reach.trespasses()).isEmpty();
    assertVisited(Connection.class, ResultSet.class, Cursor.class, DSLContext.class);
    assertThat(reach.visited()).as("classes").hasSizeGreaterThan(200);
    assertThat(reach.calls()).as("calls").isGreaterThan(15_000);
  }

  private void walk(ScopedTransaction tx) {
    var dsl = tx.dsl();
    var query = dsl.select(array(val(1), val(2)).as("numbers"));
    var cursor = query.fetchLazy();
    reach
        .from("rows", cursor.resultSet())
        .from("cursor", query.fetchLazy())
        .from("provider", dsl.configuration().connectionProvider().acquire())
        .from("result", dsl.selectFrom(ORDERS).fetch())
        .from("tx", tx)
        .walk();
  }

  private void assertVisited(Class<?>... types) {
    assertThat(types)
        .allSatisfy(type -> assertThat(reach.visited()).anyMatch(type::isAssignableFrom));
  }
}
