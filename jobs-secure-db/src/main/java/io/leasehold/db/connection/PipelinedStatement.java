package io.leasehold.db.connection;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A transaction's first statement, prepared together with its BEGIN and {@link Opening} so that all
 * of them are sent to the server at once.
 *
 * <p>To its user it looks like the statement alone: parameter indexes start with its own first
 * parameter, and the results of the preceding statements are skipped.
 */
final class PipelinedStatement implements InvocationHandler {

  /** Executes all statements. */
  @FunctionalInterface
  interface Sending {
    boolean send(PreparedStatement whole) throws SQLException;
  }

  private static final int BEGIN = 1;

  private final Sending sending;
  private final Optional<SqlCall<PreparedStatement>> alone;
  private final Opening opening;
  private final List<Binding> bindings = new ArrayList<>();

  private PreparedStatement statement;
  private boolean pipelined = true;
  private boolean sent;

  /** Sets a parameter again, by the index that the statement's user sees. */
  @FunctionalInterface
  private interface Binding {
    void again() throws Throwable;
  }

  private PipelinedStatement(
      PreparedStatement whole,
      Opening opening,
      Sending sending,
      Optional<SqlCall<PreparedStatement>> alone) {
    this.statement = whole;
    this.sending = sending;
    this.alone = alone;
    this.opening = opening;
  }

  /**
   * Returns a view of the last of several statements; the values of the opening are already set.
   *
   * @param alone prepares the statement again by itself, in the transaction, which it begins if
   *     necessary: for fetching in parts, or for sending again; empty if the statement is the whole
   *     transaction
   */
  static PreparedStatement of(
      PreparedStatement whole,
      Opening opening,
      Sending sending,
      Optional<SqlCall<PreparedStatement>> alone) {
    return (PreparedStatement)
        Proxy.newProxyInstance(
            PipelinedStatement.class.getClassLoader(),
            new Class<?>[] {PreparedStatement.class},
            new PipelinedStatement(whole, opening, sending, alone));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
      throws Throwable {
    return switch (method.getName()) {
      case "execute" -> execute();
      case "executeQuery" -> {
        execute();
        yield statement.getResultSet();
      }
      case "executeUpdate" -> {
        execute();
        yield statement.getUpdateCount();
      }
      case "executeLargeUpdate" -> {
        execute();
        yield statement.getLargeUpdateCount();
      }
      case "setFetchSize" -> {
        separate();
        yield alone.isPresent() ? pass(method, args) : null;
      }
      case "addBatch" -> throw new SQLException("a transaction's first statement is no batch");
      default -> pass(method, args);
    };
  }

  private boolean execute() throws Throwable {
    if (sent) {
      separate();
    }
    sent = true;
    if (!pipelined) {
      return statement.execute();
    }
    var isResultSet = sending.send(statement);
    for (int i = 0; i < BEGIN + opening.results(); i++) {
      isResultSet = statement.getMoreResults();
    }
    return isResultSet;
  }

  private void separate() throws Throwable {
    if (pipelined && alone.isPresent()) {
      statement.close();
      statement = alone.get().call();
      pipelined = false;
      for (var binding : bindings) {
        binding.again();
      }
    }
  }

  private @Nullable Object pass(Method method, Object @Nullable [] args) throws Throwable {
    if (args == null || !isParameter(method)) {
      return call(method, args);
    }
    if (pipelined) {
      var given = args.clone();
      bindings.add(() -> call(method, given));
    }
    args[0] = shifted((int) args[0]);
    return call(method, args);
  }

  private @Nullable Object call(Method method, Object @Nullable [] args) throws Throwable {
    try {
      return method.invoke(statement, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  // An index below the first would address a value of the opening, such as the tenant.
  private int shifted(int index) throws SQLException {
    if (index < 1) {
      throw new SQLException("a parameter's index must be at least 1, not " + index);
    }
    return pipelined ? index + opening.values().size() : index;
  }

  // Methods like setMaxRows have one argument; the setters of parameters have two or more.
  private static boolean isParameter(Method method) {
    return method.getName().startsWith("set")
        && method.getParameterCount() > 1
        && method.getParameterTypes()[0] == int.class;
  }
}
