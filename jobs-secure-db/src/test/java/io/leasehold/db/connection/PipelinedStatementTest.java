package io.leasehold.db.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.db.OpenAcme;
import io.leasehold.db.TransactionOptions;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PipelinedStatementTest {

  @RegisterExtension static final OpenAcme acme = new OpenAcme();

  private static final Opening OPENING =
      new Opening(
          "select set_config('acme.a', ?, true), set_config('acme.b', ?, true); ",
          List.of(_ -> "first", _ -> "second"),
          1);

  private RolePool pool;
  private Session session;

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
  }

  @AfterEach
  void close() throws SQLException {
    session.rollback();
    session.close();
    pool.close();
  }

  static Stream<Method> setters() {
    return Arrays.stream(PreparedStatement.class.getMethods())
        .filter(method -> method.getName().startsWith("set"))
        .filter(method -> method.getParameterCount() > 1);
  }

  @ParameterizedTest
  @MethodSource("setters")
  void noSetterReachesTheOpeningsValues(Method setter) throws SQLException {
    try (var statement = session.prepare("select current_setting('acme.a') || ?")) {
      statement.setString(1, " and own");
      for (int index : new int[] {0, -1, -2, Integer.MIN_VALUE}) {
        assertThatThrownBy(() -> call(setter, statement, index))
            .as("parameter %d", index)
            .isInstanceOfAny(SQLException.class, IllegalArgumentException.class);
      }

      var rows = statement.executeQuery();

      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(1)).isEqualTo("first and own");
    }
  }

  @Test
  void noSetterReachesBeyondTheLastParameter() throws SQLException {
    try (var statement = session.prepare("select ?")) {
      for (int index : new int[] {2, 3, Integer.MAX_VALUE}) {
        assertThatThrownBy(() -> statement.setString(index, "forged"))
            .as("parameter %d", index)
            .isInstanceOf(SQLException.class);
      }
    }
  }

  @Test
  void isSentInNoBatch() throws SQLException {
    try (var statement = session.prepare("select 1")) {
      assertThatThrownBy(statement::addBatch).isInstanceOf(SQLException.class);
    }
  }

  private static void call(Method setter, PreparedStatement statement, int index) throws Throwable {
    var arguments =
        Arrays.stream(setter.getParameterTypes()).map(PipelinedStatementTest::value).toArray();
    arguments[0] = index;
    try {
      setter.invoke(statement, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static @Nullable Object value(Class<?> type) {
    if (type.isPrimitive()) {
      return Array.get(Array.newInstance(type, 1), 0);
    }
    return type == String.class || type == Object.class ? "forged" : null;
  }
}
