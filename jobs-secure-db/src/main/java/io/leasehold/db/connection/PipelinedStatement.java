package io.leasehold.db.connection;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A transaction's first statement, prepared together with its {@link Opening} so that both go to
 * the server at once.
 *
 * <p>To its user it is the statement alone: parameters are counted from its own first, and the
 * opening's results are skipped.
 */
final class PipelinedStatement implements InvocationHandler {

  /** Hears of what is about to be sent. */
  @FunctionalInterface
  interface Sending {
    void sending(PreparedStatement both) throws SQLException;
  }

  private final PreparedStatement both;
  private final Opening opening;
  private final Sending sending;
  private final Runnable taken;

  private PipelinedStatement(
      PreparedStatement both, Opening opening, Sending sending, Runnable taken) {
    this.both = both;
    this.opening = opening;
    this.sending = sending;
    this.taken = taken;
  }

  /**
   * Puts the opening's values in.
   *
   * @param sending called just before both are sent
   * @param taken called once the server has taken both
   */
  static PreparedStatement of(
      PreparedStatement both, Opening opening, Sending sending, Runnable taken)
      throws SQLException {
    opening.bind(both, 0);
    return (PreparedStatement)
        Proxy.newProxyInstance(
            PipelinedStatement.class.getClassLoader(),
            new Class<?>[] {PreparedStatement.class},
            new PipelinedStatement(both, opening, sending, taken));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
      throws Throwable {
    return switch (method.getName()) {
      case "execute" -> execute();
      case "executeQuery" -> {
        execute();
        yield both.getResultSet();
      }
      case "executeUpdate" -> {
        execute();
        yield both.getUpdateCount();
      }
      case "executeLargeUpdate" -> {
        execute();
        yield both.getLargeUpdateCount();
      }
      default -> pass(method, args);
    };
  }

  private boolean execute() throws SQLException {
    sending.sending(both);
    var isResultSet = both.execute();
    taken.run();
    for (int i = 0; i < opening.results(); i++) {
      isResultSet = both.getMoreResults();
    }
    return isResultSet;
  }

  private @Nullable Object pass(Method method, Object @Nullable [] args) throws Throwable {
    if (args != null && isParameter(method)) {
      args[0] = (int) args[0] + opening.values().size();
    }
    try {
      return method.invoke(both, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  // setMaxRows and its like have one argument, and the parameters' setters two or more.
  private static boolean isParameter(Method method) {
    return method.getName().startsWith("set")
        && method.getParameterCount() > 1
        && method.getParameterTypes()[0] == int.class;
  }
}
