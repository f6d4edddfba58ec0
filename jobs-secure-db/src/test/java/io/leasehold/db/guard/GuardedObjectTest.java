package io.leasehold.db.guard;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.Acme.BOB;
import static io.leasehold.db.OpenAcme.readableTenants;
import static io.leasehold.db.OpenAcme.tenant;
import static io.leasehold.db.acme.Tables.ORDERS;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.TenantWork;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.connection.Opening;
import io.leasehold.db.connection.RolePool;
import io.leasehold.db.connection.Session;
import io.leasehold.db.connection.UsedConnections;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.io.ByteArrayInputStream;
import java.io.Serial;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jooq.ConnectionProvider;
import org.jooq.tools.jdbc.DefaultStatement;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.PGStatement;
import org.postgresql.util.PGobject;

/** What the connection, its statements, rows and arrays do for a module's code, and what not. */
class GuardedObjectTest {

  @RegisterExtension
  static final OpenAcme acme = new OpenAcme(limits -> limits.tenantConnections(1));

  private static final Opening OPENING =
      new Opening("select set_config('acme.a', ?, true); ", List.of(_ -> "first"), 1);

  private RolePool pool;
  private Session session;
  private Connection connection;

  @BeforeEach
  void open() {
    pool = RolePool.ofTenants(acme.acme().config(), false, Map.of());
    session =
        new Session(
            pool.dataSource(),
            OPENING,
            TransactionOptions.defaults(),
            () -> true,
            _ -> Optional.empty(),
            new UsedConnections());
    connection = GuardedConnection.of(session, _ -> true);
  }

  @AfterEach
  void close() throws SQLException {
    session.close();
    pool.close();
  }

  private static <T extends @Nullable Object> T asAnn(TenantWork<T, SQLException> work)
      throws SQLException {
    return acme.transactions().asTenant(Acme.of(ANN), work);
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            JobsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_REFUSED));
  }

  private ResultSet query(String sql) throws SQLException {
    var rows = connection.prepareStatement(sql).executeQuery();
    assertThat(rows.next()).isTrue();
    return rows;
  }

  @Test
  void rowsOfACursorDoNotReturnTheStatement() throws SQLException {
    asAnn(
        tx -> {
          try (var rows = tx.selectFrom(ORDERS).fetchLazy().resultSet()) {
            var innermost = innermost(requireNonNull(rows).getStatement());
            assertRefused(() -> innermost.getConnection().createStatement());
            return 1;
          }
        });
  }

  // Of jOOQ's own wrappers, each hands out the next.
  private static Statement innermost(Statement statement) throws SQLException {
    return statement instanceof DefaultStatement wrapper
        ? innermost(wrapper.getDelegate())
        : statement;
  }

  @Test
  void connectionRefusesToCreateArrays() throws SQLException {
    asAnn(
        tx -> {
          var handed = requireNonNull(tx.dsl().configuration().connectionProvider().acquire());
          assertRefused(
              () ->
                  handed
                      .createArrayOf("int4", new Object[] {1})
                      .getResultSet()
                      .getStatement()
                      .getConnection());
          return 1;
        });
  }

  @Test
  void anotherProviderCannotRebindTheTenant() {
    assertRefused(
        () ->
            asAnn(
                tx -> {
                  var configuration = tx.dsl().configuration();
                  var rebinding = new Rebinding(configuration.connectionProvider());
                  return readableTenants(configuration.derive(rebinding).dsl());
                }));
  }

  /** A module's own provider, which binds values ahead of the statement's own. */
  private record Rebinding(ConnectionProvider handed) implements ConnectionProvider {

    @Override
    public Connection acquire() {
      return (Connection)
          Proxy.newProxyInstance(
              Rebinding.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (_, method, arguments) -> {
                try {
                  var result = method.invoke(handed.acquire(), arguments);
                  if (result instanceof PreparedStatement statement) {
                    statement.setString(0, BOB.toString());
                    statement.setString(-1, BOB.toString());
                  }
                  return result;
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    @Override
    public void release(Connection released) {}
  }

  @Test
  void rowsOfAnArrayDoNotReturnTheStatement() throws SQLException {
    var array = query("select array[1, 2]").getArray(1);

    assertThat(array.getArray()).isEqualTo(new Integer[] {1, 2});
    try (var elements = array.getResultSet()) {
      assertThat(elements.next()).isTrue();
      assertThat(elements.getInt(2)).isEqualTo(1);
      assertRefused(elements::getStatement);
    }
  }

  @Test
  void jooqReadsArrays() throws SQLException {
    var numbers = asAnn(tx -> tx.dsl().select(array(val(1), val(2))).fetchSingle().value1());

    assertThat(numbers).containsExactly(1, 2);
  }

  @Test
  void jooqReadsArraysOfBytes() throws SQLException {
    var bytes = asAnn(tx -> tx.dsl().select(array(val(new byte[] {7}))).fetchSingle().value1());

    assertThat(bytes).isDeepEqualTo(new byte[][] {{7}});
  }

  static Stream<Object> valuesOfAModulesOwn() {
    return Stream.of(
        proxy(SQLData.class),
        proxy(Array.class),
        new ByteArrayInputStream(new byte[0]),
        List.of(1),
        new OwnNumber(),
        new OwnObject());
  }

  private static Object proxy(Class<?> type) {
    return Proxy.newProxyInstance(
        GuardedObjectTest.class.getClassLoader(), new Class<?>[] {type}, (_, _, _) -> null);
  }

  private static final class OwnNumber extends BigDecimal {
    @Serial private static final long serialVersionUID = 1L;

    OwnNumber() {
      super(1);
    }
  }

  /** A type of the driver's, of which the driver would make and fill one. */
  public static final class OwnObject extends PGobject {
    @Serial private static final long serialVersionUID = 1L;
  }

  @ParameterizedTest
  @MethodSource("valuesOfAModulesOwn")
  void statementRefusesValuesOfOtherTypes(Object value) throws SQLException {
    var statement = connection.prepareStatement("select ?");

    assertRefused(() -> statement.setObject(1, value));
  }

  @Test
  void statementRefusesStreams() throws SQLException {
    var statement = connection.prepareStatement("select ?");

    assertRefused(() -> statement.setBinaryStream(1, new ByteArrayInputStream(new byte[] {1}), 1));
  }

  @Test
  void rowsRefuseToCreateObjectsOfOtherTypes() throws SQLException {
    var rows = query("select point(1, 2)");

    assertRefused(() -> rows.getObject(1, OwnObject.class));
    assertRefused(() -> rows.getObject(1, Map.of("point", OwnObject.class)));
  }

  @Test
  void statementRevealsNothingOfTheOpening() throws SQLException {
    var statement = connection.prepareStatement("select ?");

    assertThat(statement.toString()).doesNotContain("first", "set_config", "select");
    assertRefused(statement::getParameterMetaData);
    assertRefused(statement::clearParameters);
    assertRefused(() -> statement.setString(0, "forged"));
    assertThat(statement.getConnection()).isEqualTo(connection).hasSameHashCodeAs(connection);
  }

  @Test
  void invocationHandlerRefusesOtherMethods() throws SQLException {
    var statement = connection.prepareStatement("select 1");
    var handler = Proxy.getInvocationHandler(statement);

    Stream.of(Statement.class.getMethods())
        .filter(method -> List.of(method.getParameterTypes()).contains(String.class))
        .forEach(
            method ->
                assertRefused(() -> handler.invoke(statement, method, new Object[] {"select 2"})));
    assertRefused(() -> handler.invoke(statement, PGStatement.class.getMethod("getLastOID"), null));
  }

  @Test
  void objectsAreUselessAfterTheirTransaction() throws SQLException {
    var kept = new Object[3];
    asAnn(
        tx -> {
          var rows = requireNonNull(tx.dsl().select(array(val(1))).fetchLazy().resultSet());
          assertThat(rows.next()).isTrue();
          kept[0] = rows;
          kept[1] = rows.getArray(1);
          return 1;
        });

    acme.transactions()
        .asTenant(
            Acme.of(BOB),
            tx -> {
              var tenant = tenant(tx);
              assertOver(() -> ((ResultSet) kept[0]).next());
              assertOver(() -> ((Array) kept[1]).getArray());
              ((ResultSet) kept[0]).close();
              ((Array) kept[1]).free();
              assertThat(tenant(tx)).isEqualTo(tenant);
              return 1;
            });
  }

  @Test
  void statementIsUselessAfterItsTransaction() throws SQLException {
    var statement = connection.prepareStatement("select current_setting('acme.a')");
    session.rollback();
    session.close();

    try (var next = pool.dataSource().getConnection()) {
      assertThat(next.isClosed()).isFalse();
      assertOver(statement::executeQuery);
      assertOver(() -> statement.setString(1, "late"));
      assertThat(statement.isClosed()).isTrue();
      statement.cancel();
      statement.close();
    }
  }

  private static void assertOver(ThrowingCallable call) {
    assertThatIllegalStateException().isThrownBy(call).withMessageContaining("is over");
  }

  @Test
  void isUsableOnlyOnTheTransactionsThread() throws Exception {
    var rows = query("select 1");
    var elsewhere = new FutureTask<>(() -> rows.getInt(1));

    Thread.ofVirtual().start(elsewhere).join();

    assertThatThrownBy(elsewhere::get).hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void openingIsSentWithTheFirstStatementThatIsSent() throws SQLException {
    var tenant =
        asAnn(
            tx -> {
              assertThatThrownBy(() -> tx.selectFrom(ORDERS).fetchSize(-5).fetch())
                  .isInstanceOf(RuntimeException.class);
              return tenant(tx);
            });

    assertThat(tenant).isEqualTo(ANN.toString());
  }

  @Test
  void lastValueOfASequenceIsRefused() {
    assertRefused(() -> asAnn(tx -> tx.dsl().fetch(select(function(name("lastval"), Long.class)))));
  }
}
