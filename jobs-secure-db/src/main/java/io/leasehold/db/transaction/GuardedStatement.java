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
import org.jspecify.annotations.Nullable;

/**
 * A statement, or rows that it found, that lead back to guarded ones only: not to the connection
 * itself, over which anything could be sent.
 */
final class GuardedStatement implements InvocationHandler {

  private final Object unguarded;
  private final Connection connection;
  private final @Nullable Object statement;

  private GuardedStatement(Object unguarded, Connection connection, @Nullable Object statement) {
    this.unguarded = unguarded;
    this.connection = connection;
    this.statement = statement;
  }

  static PreparedStatement of(PreparedStatement unguarded, Connection connection) {
    return proxy(PreparedStatement.class, new GuardedStatement(unguarded, connection, null));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
      throws Throwable {
    return switch (method.getName()) {
      case "getConnection" -> connection;
      case "getStatement" -> statement;
      case "isWrapperFor" -> false;
      case "unwrap" -> throw refusal(method);
      default -> {
        if (sendsText(method)) {
          throw refusal(method);
        }
        yield guarded(proxy, pass(method, args));
      }
    };
  }

  private @Nullable Object guarded(Object proxy, @Nullable Object result) {
    return result instanceof ResultSet rows
        ? proxy(ResultSet.class, new GuardedStatement(rows, connection, proxy))
        : result;
  }

  private static boolean sendsText(Method method) {
    var takesText = method.getParameterCount() > 0 && method.getParameterTypes()[0] == String.class;
    return takesText
        && (method.getName().startsWith("execute") || method.getName().equals("addBatch"));
  }

  private @Nullable Object pass(Method method, Object @Nullable [] args) throws Throwable {
    try {
      return method.invoke(unguarded, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, GuardedStatement handler) {
    return type.cast(
        Proxy.newProxyInstance(
            GuardedStatement.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static JobsException refusal(Method method) {
    return new JobsException(
        ErrorCode.STATEMENT_REFUSED,
        "the connection of a tenant's transaction is not handed out: %s cannot be scoped"
            .formatted(method.getName()));
  }
}
