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
 * A call of one of the platform's own functions, for what is called so often that its statement is
 * better written once than with every call. It says the function's name and values for its
 * parameters, and has no room for anything else. Immutable; safe to share.
 *
 * @param <R> what the function answers, which is never null
 */
public final class PlatformCall<R> {

  // None but these is written: the name of any other could be more than a name.
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
   * A call of the function of this name, in the platform's schema.
   *
   * @param answer the type of what it answers: one value
   * @param parameters the types of its parameters, in their order
   * @throws IllegalArgumentException if one of the types is none of {@link SQLDataType}'s own for
   *     text, whole numbers, truth, ids and JSON
   */
  public static <R> PlatformCall<R> of(
      String function, DataType<R> answer, DataType<?>... parameters) {
    var known = Arrays.stream(parameters).<DataType<?>>map(PlatformCall::known).toList();
    return new PlatformCall<>(
        select(function, known.stream(), answer), Optional.empty(), known, known(answer));
  }

  /**
   * The same, but where the call is the whole transaction, it is a call of another function of the
   * platform's schema. That one takes the transaction's tenants and their proof as two further
   * texts, last, and verifies the proof itself, so that nothing has to enter the tenant before.
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

  // Ours and not the given one, whose class could be that of an object of the driver's.
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

  /** The statement, which other tables may follow. */
  public String sql() {
    return sql;
  }

  /** The statement with the parameters of a proof behind its own, if there is a function for it. */
  public Optional<String> provenSql() {
    return provenSql;
  }

  /**
   * Puts the values in, from the first parameter on, and answers how many they are.
   *
   * @throws IllegalArgumentException if they are more or fewer than the parameters, or one is not
   *     of its parameter's type
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

  // Of one type whether it is null or not, or else the server would plan the statement anew.
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

  /** Runs it, and reads the answer. */
  public R answer(PreparedStatement bound) throws SQLException {
    try (var rows = bound.executeQuery()) {
      rows.next();
      return Objects.requireNonNull(rows.getObject(1, answer.getType()));
    }
  }
}
