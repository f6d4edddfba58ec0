package io.leasehold.db.guard;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.jooq.tools.jdbc.DefaultResultSet;
import org.jspecify.annotations.Nullable;

/** Rows that lead back to their guarded statement only, and so do the arrays in them. */
final class GuardedRows extends DefaultResultSet {

  GuardedRows(ResultSet rows, Statement guarded) {
    super(rows, guarded);
  }

  @Override
  public @Nullable Array getArray(int column) throws SQLException {
    return guarded(super.getArray(column));
  }

  @Override
  public @Nullable Array getArray(String column) throws SQLException {
    return guarded(super.getArray(column));
  }

  @Override
  public @Nullable Object getObject(int column) throws SQLException {
    return guarded(super.getObject(column));
  }

  @Override
  public @Nullable Object getObject(String column) throws SQLException {
    return guarded(super.getObject(column));
  }

  @Override
  public @Nullable Object getObject(int column, Map<String, Class<?>> types) throws SQLException {
    return guarded(super.getObject(column, types));
  }

  @Override
  public @Nullable Object getObject(String column, Map<String, Class<?>> types)
      throws SQLException {
    return guarded(super.getObject(column, types));
  }

  @Override
  public <T> @Nullable T getObject(int column, Class<T> type) throws SQLException {
    return guarded(type, super.getObject(column, type));
  }

  @Override
  public <T> @Nullable T getObject(String column, Class<T> type) throws SQLException {
    return guarded(type, super.getObject(column, type));
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    throw GuardedStatement.refusal("unwrap");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }

  private static @Nullable Array guarded(@Nullable Array array) {
    return array == null ? null : new GuardedArray(array);
  }

  private static <T> @Nullable T guarded(Class<T> type, @Nullable T value) {
    return value instanceof Array || value instanceof ResultSet
        ? type.cast(guarded((Object) value))
        : value;
  }

  // A cursor's rows are those of a statement of its own, which nobody guards.
  private static @Nullable Object guarded(@Nullable Object value) {
    return switch (value) {
      case Array array -> guarded(array);
      case ResultSet _ -> throw GuardedStatement.refusal("a cursor");
      case null, default -> value;
    };
  }
}
