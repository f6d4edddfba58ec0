package io.leasehold.db;

import static org.jooq.impl.DSL.cast;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;

import io.leasehold.db.schema.Leasehold;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.JSON;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * A call of one of the platform's own functions. It is for frequent calls, whose statement is
 * better rendered once than with every call. It consists of the function's name and the values for
 * its parameters, and has no room for anything else. Immutable; safe to share.
 *
 * @param <R> the return type of the function, which never returns null
 */
public final class PlatformCall<R> {

  // Only these types are rendered: the name of any other type could be more than a name.
  private static final Set<DataType<?>> TYPES =
      Set.of(
          SQLDataType.VARCHAR,
          SQLDataType.SMALLINT,
          SQLDataType.INTEGER,
          SQLDataType.BIGINT,
          SQLDataType.BOOLEAN,
          SQLDataType.UUID,
          SQLDataType.JSON);

  private static final DataType<String> TENANTS = SQLDataType.VARCHAR;
  private static final DataType<String> PROOF = SQLDataType.VARCHAR;

  private final String sql;
  private final Optional<String> provenSql;
  private final List<DataType<?>> parameters;
  private final DataType<R> answer;

  private PlatformCall(
      String sql, Optional<String> provenSql, List<DataType<?>> parameters, DataType<R> answer) {
    this.sql = sql;
    this.provenSql = provenSql;
    this.parameters = parameters;
    this.answer = answer;
  }

  /**
   * Creates a call of the function with this name, in the platform's schema.
   *
   * @param answer the type of the single value that it returns
   * @param parameters the types of its parameters, in their order
   * @throws IllegalArgumentException if one of the types is not one of {@link SQLDataType}'s own
   *     for text, whole numbers, booleans, ids and JSON
   */
  public static <R> PlatformCall<R> of(
      String function, DataType<R> answer, DataType<?>... parameters) {
    var known = Arrays.stream(parameters).<DataType<?>>map(PlatformCall::known).toList();
    return new PlatformCall<>(
        select(function, known.stream(), answer), Optional.empty(), known, known(answer));
  }

  /**
   * Returns a variant that uses another function of the platform's schema if the call is the whole
   * transaction. That function takes the transaction's tenants and their proof as two additional
   * text parameters, in last place. It verifies the proof itself, so no statement has to enter the
   * tenant first.
   */
  public PlatformCall<R> provenBy(String function) {
    var proven = Stream.concat(parameters.stream(), Stream.of(TENANTS, PROOF));
    return new PlatformCall<>(
        sql, Optional.of(select(function, proven, answer)), parameters, answer);
  }

  private static String select(
      String function, Stream<? extends DataType<?>> parameters, DataType<?> answer) {
    var qualified = Leasehold.LEASEHOLD.getQualifiedName().append(name(function));
    return DSL.using(SQLDialect.POSTGRES)
        .render(
            DSL.select(function(qualified, answer, parameters.map(PlatformCall::value).toList())));
  }

  // Returns our own type, since the class of the given one could be that of an object of the
  // driver.
  @SuppressWarnings("unchecked")
  private static <T> DataType<T> known(DataType<T> type) {
    return (DataType<T>)
        TYPES.stream()
            .filter(type::equals)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "a call has no values of the type " + type.getTypeName()));
  }

  // The driver has no type of its own for JSON.
  private static Field<?> value(DataType<?> type) {
    return isJson(type)
        ? cast(param("value", SQLDataType.VARCHAR), SQLDataType.JSON)
        : param("value", type.getType());
  }

  private static boolean isJson(DataType<?> type) {
    return type.getType() == JSON.class;
  }

  /** Returns the statement, to which a FROM clause may be added. */
  public String sql() {
    return sql;
  }

  /**
   * Returns the statement with the parameters of a proof after its own, if there is a function for
   * it.
   */
  public Optional<String> provenSql() {
    return provenSql;
  }

  /**
   * Sets the values, from the first parameter on, and returns how many there are.
   *
   * @throws IllegalArgumentException if there are more or fewer values than parameters, or if a
   *     value does not have its parameter's type
   */
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

  // The type is the same whether the value is null or not; otherwise the server would plan the
  // statement again.
  private static void bind(
      PreparedStatement statement, int index, DataType<?> type, @Nullable Object value)
      throws SQLException {
    if (value == null) {
      statement.setNull(index, isJson(type) ? Types.VARCHAR : type.getSQLType());
    } else if (type.getType().isInstance(value)) {
      statement.setObject(index, value instanceof JSON json ? json.data() : value);
    } else {
      throw new IllegalArgumentException(
          "parameter %d must be a %s, not a %s"
              .formatted(index, type.getType().getSimpleName(), value.getClass().getName()));
    }
  }

  /** Executes the statement and reads the result. */
  public R answer(PreparedStatement bound) throws SQLException {
    try (var rows = bound.executeQuery()) {
      rows.next();
      return Objects.requireNonNull(rows.getObject(1, answer.getType()));
    }
  }
}
