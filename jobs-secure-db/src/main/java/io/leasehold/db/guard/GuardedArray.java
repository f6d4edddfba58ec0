package io.leasehold.db.guard;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/** An array that is read as a whole: its rows would lead to the connection. */
final class GuardedArray implements Array {

  private final Array array;

  GuardedArray(Array array) {
    this.array = array;
  }

  @Override
  public String getBaseTypeName() throws SQLException {
    return array.getBaseTypeName();
  }

  @Override
  public int getBaseType() throws SQLException {
    return array.getBaseType();
  }

  @Override
  public Object getArray() throws SQLException {
    return array.getArray();
  }

  @Override
  public Object getArray(Map<String, Class<?>> types) throws SQLException {
    return array.getArray(types);
  }

  @Override
  public Object getArray(long index, int count) throws SQLException {
    return array.getArray(index, count);
  }

  @Override
  public Object getArray(long index, int count, Map<String, Class<?>> types) throws SQLException {
    return array.getArray(index, count, types);
  }

  @Override
  public ResultSet getResultSet() {
    throw GuardedStatement.refusal("getResultSet");
  }

  @Override
  public ResultSet getResultSet(Map<String, Class<?>> types) {
    throw GuardedStatement.refusal("getResultSet");
  }

  @Override
  public ResultSet getResultSet(long index, int count) {
    throw GuardedStatement.refusal("getResultSet");
  }

  @Override
  public ResultSet getResultSet(long index, int count, Map<String, Class<?>> types) {
    throw GuardedStatement.refusal("getResultSet");
  }

  @Override
  public void free() throws SQLException {
    array.free();
  }

  @Override
  public String toString() {
    return array.toString();
  }
}
