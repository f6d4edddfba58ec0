package io.leasehold.db.guard;

import io.leasehold.db.connection.Session;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connection that jOOQ is given: it prepares approved statements, and does nothing else that
 * could reach past the transaction's scope.
 */
public final class GuardedConnection implements InvocationHandler {

  private final Session session;
  private final Predicate<String> approved;

  private GuardedConnection(Session session, Predicate<String> approved) {
    this.session = session;
    this.approved = approved;
  }

  public static Connection of(Session session, Predicate<String> approved) {
    return (Connection)
        Proxy.newProxyInstance(
            GuardedConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new GuardedConnection(session, approved));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
      throws Throwable {
    return switch (method.getName()) {
      case "prepareStatement" -> prepare((Connection) proxy, args);
      case "createArrayOf",
          "createStruct",
          "createBlob",
          "createClob",
          "createNClob",
          "createSQLXML" ->
          pass(method, args);
      case "isClosed", "getAutoCommit" -> false;
      case "toString" -> "the transaction's connection";
      default -> throw GuardedStatement.refusal(method.getName());
    };
  }

  private Object prepare(Connection guarded, Object @Nullable [] args) throws Throwable {
    if (args == null || !(args[0] instanceof String sql) || !approved.test(sql)) {
      throw new JobsException(
          ErrorCode.STATEMENT_REFUSED,
          "this statement was not written by the transaction's own dsl, so it is not scoped");
    }
    return new GuardedStatement(session.prepare(sql), guarded);
  }

  private @Nullable Object pass(Method method, Object @Nullable [] args) throws Throwable {
    try {
      return method.invoke(session.connection(), args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
