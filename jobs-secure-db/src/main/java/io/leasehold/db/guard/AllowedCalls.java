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
 * The calls of JDBC that are passed on: those that jOOQ makes on PostgreSQL, and no call with SQL
 * in it. A method that a later JDBC adds is on no list.
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

  // An end can be asked for by any thread, and again; jOOQ reads the warnings at it. None of these
  // reaches a connection that was given back.
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

  /** The calls of an object of the driver's, if it can be guarded. */
  static Optional<AllowedCalls> of(Object object) {
    return Arrays.stream(values()).filter(calls -> calls.type.isInstance(object)).findFirst();
  }

  /** The interface that the calls are of. */
  Class<?> type() {
    return type;
  }

  /** Whether a call is on the list. */
  boolean include(Method method) {
    return methods.contains(method);
  }

  /** Whether a call is one of those that may come after the transaction, and from elsewhere. */
  static boolean isEnd(Method method) {
    return ENDS.contains(method.getName());
  }
}
