package io.leasehold.db.guard;

import java.lang.reflect.Method;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLXML;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The JDBC calls that are passed on: those that jOOQ makes on PostgreSQL, and no call that contains
 * SQL. Methods added by later versions of JDBC are not on any list.
 */
enum AllowedCalls {
  STATEMENT(
      PreparedStatement.class,
      Set.of(
          "addBatch",
          "cancel",
          "clearBatch",
          "close",
          "execute",
          "executeBatch",
          "executeLargeBatch",
          "executeLargeUpdate",
          "executeQuery",
          "executeUpdate",
          "getConnection",
          "getLargeUpdateCount",
          "getMoreResults",
          "getResultSet",
          "getUpdateCount",
          "getWarnings",
          "isClosed",
          "setBigDecimal",
          "setBoolean",
          "setByte",
          "setBytes",
          "setDate",
          "setDouble",
          "setFetchSize",
          "setFloat",
          "setInt",
          "setLong",
          "setMaxRows",
          "setNull",
          "setObject",
          "setPoolable",
          "setQueryTimeout",
          "setShort",
          "setString",
          "setTime",
          "setTimestamp")),
  ROWS(
      ResultSet.class,
      Set.of(
          "close",
          "findColumn",
          "getArray",
          "getBigDecimal",
          "getBoolean",
          "getByte",
          "getBytes",
          "getDate",
          "getDouble",
          "getFloat",
          "getInt",
          "getLong",
          "getMetaData",
          "getObject",
          "getSQLXML",
          "getShort",
          "getString",
          "getTime",
          "getTimestamp",
          "isClosed",
          "next",
          "wasNull")),
  COLUMNS(
      ResultSetMetaData.class,
      Set.of(
          "getColumnCount",
          "getColumnLabel",
          "getColumnName",
          "getColumnType",
          "getColumnTypeName",
          "getPrecision",
          "getScale",
          "getSchemaName",
          "getTableName",
          "isNullable")),
  ARRAY(Array.class, Set.of("free", "getArray", "getBaseType", "getBaseTypeName", "getResultSet")),
  XML(SQLXML.class, Set.of("free", "getString"));

  // Any thread may request an end, even repeatedly, and jOOQ reads the warnings at that point. None
  // of these calls reaches a connection that was returned to the pool.
  private static final Set<String> ENDS =
      Set.of("cancel", "close", "free", "getWarnings", "isClosed");

  private final Class<?> type;

  @SuppressWarnings("ImmutableEnumChecker") // Unmodifiable.
  private final Set<Method> methods;

  AllowedCalls(Class<?> type, Set<String> names) {
    this.type = type;
    this.methods =
        Arrays.stream(type.getMethods())
            .filter(method -> names.contains(method.getName()) && !takesSql(method))
            .collect(Collectors.toUnmodifiableSet());
  }

  private static boolean takesSql(Method method) {
    return Statement.class.isAssignableFrom(method.getDeclaringClass())
        && method.getParameterCount() > 0
        && method.getParameterTypes()[0] == String.class;
  }

  /** Returns the calls for an object of the driver, if it can be guarded. */
  static Optional<AllowedCalls> of(Object object) {
    return Arrays.stream(values()).filter(calls -> calls.type.isInstance(object)).findFirst();
  }

  /** Returns the interface that declares the calls. */
  Class<?> type() {
    return type;
  }

  /** Returns whether a call is on the list. */
  boolean include(Method method) {
    return methods.contains(method);
  }

  /** Returns whether a call may come after the transaction, and from another thread. */
  static boolean isEnd(Method method) {
    return ENDS.contains(method.getName());
  }
}
