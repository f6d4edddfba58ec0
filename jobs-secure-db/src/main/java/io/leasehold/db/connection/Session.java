package io.leasehold.db.connection;

import io.leasehold.db.PlatformCall;
import io.leasehold.db.TransactionOptions;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Savepoint;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction's connection: taken from the pool at the first statement, opened together with it,
 * and given back at the end. It belongs to the thread that made it.
 */
public final class Session {

  private static final Logger log = LoggerFactory.getLogger(Session.class);

  /** Other wishes than this need statements of their own before. */
  private static final TransactionOptions WHOLE = TransactionOptions.defaults().asOneStatement();

  private final DataSource pool;
  private final Opening opening;
  private final TransactionOptions options;
  private final BooleanSupplier ranModuleCode;
  private final Function<Connection, Optional<Deadline.Guard>> deadline;
  private final Thread thread = Thread.currentThread();

  private @Nullable Connection connection;
  private Optional<Deadline.Guard> guard = Optional.empty();
  private boolean prepared;
  private boolean opened;
  private boolean endSent;
  private boolean over;

  /**
   * A session that has not begun.
   *
   * @param ranModuleCode tells whether a module's own code can have run in it
   * @param deadline sets one, where the server does not
   */
  public Session(
      DataSource pool,
      Opening opening,
      TransactionOptions options,
      BooleanSupplier ranModuleCode,
      Function<Connection, Optional<Deadline.Guard>> deadline) {
    this.pool = pool;
    this.opening = opening;
    this.options = options;
    this.ranModuleCode = ranModuleCode;
    this.deadline = deadline;
  }

  /** Prepares a statement; the first one carries the opening with it, and the end if it is all. */
  public PreparedStatement prepare(String sql) throws SQLException {
    refuseIf(prepared && options.oneStatement());
    prepared = true;
    var current = connection();
    if (opened) {
      return current.prepareStatement(sql);
    }
    var isWhole = isWhole();
    return PipelinedStatement.of(
        current.prepareStatement(opening.sql() + sql + (isWhole ? "; COMMIT" : "")),
        opening,
        both -> sending(both, isWhole),
        () -> opened = true);
  }

  /**
   * Calls a function of the platform.
   *
   * @param within opens the transaction if this is the whole of it, and is asked for only then
   */
  public <R> R call(PlatformCall<R> call, Supplier<Opening> within, @Nullable Object... values)
      throws SQLException {
    if (opened || !options.equals(WHOLE)) {
      try (var statement = prepare(call.sql())) {
        call.bind(statement, values);
        return call.answer(statement);
      }
    }
    refuseIf(prepared);
    prepared = true;
    return whole(call, within.get(), values);
  }

  // The statement commits itself. What it calls begins when the settings it is called beside hold:
  // a function that is selected runs for each row of the tables, and sees them set.
  private <R> R whole(PlatformCall<R> call, Opening opening, @Nullable Object... values)
      throws SQLException {
    var current = connection();
    current.setAutoCommit(true);
    try (var statement =
        current.prepareStatement(call.sql() + " from (" + opening.sql() + ") as opening")) {
      opening.bind(statement, call.bind(statement, values));
      endSent = true;
      return call.answer(statement);
    }
  }

  private static void refuseIf(boolean isSecond) {
    if (isSecond) {
      throw new IllegalStateException("the transaction is one of one statement, and had it");
    }
  }

  // One after which the connection is cleaned has an end of its own.
  private boolean isWhole() {
    return options.oneStatement() && !ranModuleCode.getAsBoolean();
  }

  private void sending(PreparedStatement both, boolean isWhole) throws SQLException {
    refuseIf(endSent);
    if (isWhole) {
      both.setFetchSize(0); // What is left to fetch would be gone with the end.
      endSent = true;
    }
  }

  /** Sends the opening on its own, ahead of what cannot be sent together with it. */
  public void open() throws SQLException {
    if (opened) {
      return;
    }
    try (var statement = connection().prepareStatement(opening.sql())) {
      opening.bind(statement, 0);
      statement.execute();
    }
    opened = true;
  }

  /** A savepoint that the opening precedes: undone to it, the transaction still has its tenant. */
  public Savepoint savepoint() throws SQLException {
    open();
    return connection().setSavepoint();
  }

  public void release(Savepoint savepoint) throws SQLException {
    connection().releaseSavepoint(savepoint);
  }

  public void undo(Savepoint savepoint) throws SQLException {
    connection().rollback(savepoint);
  }

  public void commit() throws SQLException {
    if (endSent) {
      liftDeadline();
    } else if (connection != null) {
      var current = connection();
      if (!liftDeadline()) {
        throw new SQLNonTransientConnectionException(
            "the transaction's deadline has passed", SqlErrors.CONNECTION_CLOSED);
      }
      commit(current);
    }
  }

  // Reading tables leaves nothing on the connection; a module's own code in the database could.
  private void commit(Connection current) throws SQLException {
    if (ranModuleCode.getAsBoolean()) {
      CleanEnd.COMMIT.of(current);
    } else {
      current.commit();
    }
  }

  public void rollback() throws SQLException {
    over = true;
    if (connection != null && liftDeadline() && !endSent) {
      CleanEnd.ROLLBACK.of(connection);
    }
  }

  /** Breaks the connection, so that nobody is given it again. */
  public void discard() {
    if (connection != null) {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        log.debug("the connection was broken already", e);
      }
    }
  }

  /** Gives the connection back; whatever was not committed is rolled back. */
  public void close() throws SQLException {
    over = true;
    if (connection != null) {
      liftDeadline();
      var returned = connection;
      connection = null;
      returned.close();
    }
  }

  public Connection connection() throws SQLException {
    requireUsable();
    requireUninterrupted();
    if (connection == null) {
      var taken = pool.getConnection();
      connection = taken;
      if (options.readOnly()) {
        taken.setReadOnly(true);
      }
      if (options.timeout().isPresent()) {
        taken.setNetworkTimeout(Runnable::run, Silence.millis(options.timeout().get()));
      }
      guard = deadline.apply(taken);
    } else if (connection.isClosed()) {
      throw new SQLNonTransientConnectionException(
          "the connection was lost earlier in the transaction", SqlErrors.CONNECTION_CLOSED);
    }
    return connection;
  }

  public <T> T get(SqlCall<T> call) {
    try {
      return call.call();
    } catch (SQLException e) {
      throw translate(e);
    }
  }

  public void run(SqlCall.Step step) {
    try {
      step.run();
    } catch (SQLException e) {
      throw translate(e);
    }
  }

  /** What an error of the connection means to the transaction's caller. */
  public JobsException translate(SQLException e) {
    return endSent && SqlErrors.isOpen(e)
        ? SqlErrors.outcomeUnknown(e)
        : guard.isPresent() && guard.get().isExpired() ? expired(e) : SqlErrors.translate(e);
  }

  /** The same for an error of the commit, after which its outcome may be open. */
  public JobsException translateAtCommit(SQLException e) {
    return guard.isPresent() && guard.get().isExpired()
        ? expired(e)
        : SqlErrors.translateAtCommit(e);
  }

  private boolean liftDeadline() {
    return guard.isEmpty() || guard.get().lift();
  }

  private void requireUsable() {
    if (over) {
      throw new IllegalStateException("the transaction is over");
    }
    if (!Thread.currentThread().equals(thread)) {
      throw new IllegalStateException("the transaction belongs to the thread " + thread.getName());
    }
  }

  // A virtual thread's next word would break the connection, and leave open what became of it.
  private static void requireUninterrupted() throws SQLException {
    var thread = Thread.currentThread();
    if (thread.isVirtual() && thread.isInterrupted()) {
      throw new SQLException("the thread is interrupted", new InterruptedException());
    }
  }

  private static JobsException expired(SQLException cause) {
    return new JobsException(
        ErrorCode.TRANSACTION_TIMEOUT, "the transaction ran longer than it may", cause);
  }
}
