package io.leasehold.db;

import static org.jooq.impl.DSL.cast;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import io.leasehold.db.schema.Leasehold;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.JSON;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * A call of one of the platform's own functions, for what is called so often that its statement is
 * better written once than with every call. It says the function's name and values for its
 * parameters, and has no room for anything else. Immutable; safe to share.
 *
 * @param <R> what the function answers, which is never null
 */
public final class PlatformCall<R> {

  private final String sql;
  private final List<DataType<?>> parameters;
  private final DataType<R> answer;

  private PlatformCall(String sql, List<DataType<?>> parameters, DataType<R> answer) {
    this.sql = sql;
    this.parameters = parameters;
    this.answer = answer;
  }

  /**
   * A call of the function of this name, in the platform's schema.
   *
   * @param answer the type of what it answers: one value
   * @param parameters the types of its parameters, in their order
   */
  public static <R> PlatformCall<R> of(
      String function, DataType<R> answer, DataType<?>... parameters) {
    var its = Leasehold.LEASEHOLD.getQualifiedName().append(name(function));
    var values = Arrays.stream(parameters).map(PlatformCall::value).toList();
    var sql = DSL.using(SQLDialect.POSTGRES).render(select(function(its, answer, values)));
    return new PlatformCall<>(sql, List.of(parameters), answer);
  }

  // The driver has no type of its own for JSON.
  private static Field<?> value(DataType<?> type) {
    return isJson(type)
        ? cast(param("value", SQLDataType.VARCHAR), type)
        : param("value", type.getType());
  }

  private static boolean isJson(DataType<?> type) {
    return type.getType() == JSON.class;
  }

  /** The statement, which other tables may follow. */
  public String sql() {
    return sql;
  }

  /** Puts the values in, from the first parameter on, and answers how many they are. */
  public int bind(PreparedStatement statement, @Nullable Object... values) throws SQLException {
    if (values.length != parameters.size()) {
      throw new IllegalArgumentException(
          "%d values for %d parameters".formatted(values.length, parameters.size()));
    }
    for (int i = 0; i < values.length; i++) {
      bind(statement, i + 1, parameters.get(i), values[i]);
    }
    return values.length;
  }

  // Of one type whether it is null or not, or else the server would plan the statement anew.
  private static void bind(
      PreparedStatement statement, int index, DataType<?> type, @Nullable Object value)
      throws SQLException {
    if (value == null) {
      statement.setNull(index, isJson(type) ? Types.VARCHAR : type.getSQLType());
    } else {
      statement.setObject(index, value instanceof JSON json ? json.data() : value);
    }
  }

  /** Runs it, and reads the answer. */
  public R answer(PreparedStatement bound) throws SQLException {
    try (var rows = bound.executeQuery()) {
      rows.next();
      return Objects.requireNonNull(rows.getObject(1, answer.getType()));
    }
  }
}
