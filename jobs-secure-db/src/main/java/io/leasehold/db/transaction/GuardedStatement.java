package io.leasehold.db.transaction;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A statement that leads back to the guarded connection, and from there to nothing: not to the
 * connection itself, over which anything could be sent.
 */
final class GuardedStatement implements InvocationHandler {

  private final PreparedStatement unguarded;
  private final Connection connection;

  private GuardedStatement(PreparedStatement unguarded, Connection connection) {
    this.unguarded = unguarded;
    this.connection = connection;
  }

  static PreparedStatement of(PreparedStatement unguarded, Connection connection) {
    return (PreparedStatement)
        Proxy.newProxyInstance(
            GuardedStatement.class.getClassLoader(),
            new Class<?>[] {PreparedStatement.class},
            new GuardedStatement(unguarded, connection));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
      throws Throwable {
    return switch (method.getName()) {
      case "getConnection" -> connection;
      case "isWrapperFor" -> false;
      case "unwrap" -> throw refusal("unwrap");
      case "execute", "executeQuery", "executeUpdate", "executeLargeUpdate", "addBatch" -> {
        if (args != null) {
          throw refusal(method.getName());
        }
        yield pass(proxy, method, null);
      }
      default -> pass(proxy, method, args);
    };
  }

  private @Nullable Object pass(Object proxy, Method method, Object @Nullable [] args)
      throws Throwable {
    try {
      var result = method.invoke(unguarded, args);
      return result instanceof ResultSet rows ? new GuardedRows(rows, (Statement) proxy) : result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  static JobsException refusal(String method) {
    return new JobsException(
        ErrorCode.STATEMENT_REFUSED,
        "the connection of a tenant's transaction is not handed out: %s cannot be scoped"
            .formatted(method));
  }
}
