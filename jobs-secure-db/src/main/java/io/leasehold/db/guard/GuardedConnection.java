package io.leasehold.db.guard;

import io.leasehold.db.connection.Session;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connection given to jOOQ. It prepares approved statements, and does nothing else that could
 * reach past the transaction's scope.
 */
public final class GuardedConnection implements InvocationHandler {

  private final Session session;
  private final Predicate<String> approved;
  private final boolean guardsRows;
  private final Connection guarded;

  private GuardedConnection(Session session, Predicate<String> approved, boolean guardsRows) {
    this.session = session;
    this.approved = approved;
    this.guardsRows = guardsRows;
    this.guarded =
        (Connection)
            Proxy.newProxyInstance(
                GuardedConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
  }

  /** Guards a session's connection; {@code approved} is called with each statement's text. */
  public static Connection of(Session session, Predicate<String> approved) {
    return new GuardedConnection(session, approved, true).guarded;
  }

  /**
   * Returns the connection for a session of the engine. Its statements and rows are the driver's
   * own: code that has them has the engine's rights anyway, and the engine reads many rows.
   */
  public static Connection ofEngine(Session session) {
    return new GuardedConnection(session, _ -> true, false).guarded;
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args)
      throws SQLException {
    return switch (method.getName()) {
      case "prepareStatement" -> prepare(args == null ? null : args[0]);
      case "isClosed", "getAutoCommit" -> false;
      case "equals", "hashCode", "toString" -> GuardedObject.ofObject(proxy, method, args);
      default -> throw GuardedObject.refusal(method);
    };
  }

  private PreparedStatement prepare(@Nullable Object text) throws SQLException {
    if (!(text instanceof String sql) || !approved.test(sql)) {
      throw new JobsException(
          ErrorCode.STATEMENT_REFUSED,
          "this statement was not written by the transaction's own dsl, so it is not scoped");
    }
    var statement = session.prepare(sql);
    return guardsRows
        ? GuardedObject.statement(statement, session::requireUsable, guarded)
        : statement;
  }
}
