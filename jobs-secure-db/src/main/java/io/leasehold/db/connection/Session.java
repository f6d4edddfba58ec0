package io.leasehold.db.connection;

import io.leasehold.db.PlatformCall;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.TransactionOptions.Isolation;
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
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of a transaction. It is taken from the pool at the first statement, opened
 * together with that statement, and returned at the end. It belongs to the thread that created it.
 */
public final class Session {

  private static final Logger log = LoggerFactory.getLogger(Session.class);

  /** Any other options need statements of their own before the call. */
  private static final TransactionOptions WHOLE = TransactionOptions.defaults().asOneStatement();

  private final DataSource pool;
  private final Opening opening;
  private final TransactionOptions options;
  private final BooleanSupplier ranModuleCode;
  private final Function<Connection, Optional<Deadline.Guard>> deadline;
  private final UsedConnections used;
  private final Thread thread = Thread.currentThread();

  //          connection()           the first statement, or open()
  //   begun -------------> connected ------------------------------> opened
  //     |                     |                                        |
  //     |                     | the only statement, with its COMMIT;   | commit(): COMMIT
  //     |                     | call(): a function that commits itself | rollback(): ROLLBACK
  //     |                     v                                        v
  //     |                  end sent ------------------------------> ended
  //     |                            commit() sends nothing            |
  //     +------------------------------------------------------------->+-- close() --> over
  //
  // A session that was never connected sends nothing. No statement follows rollback() or close().

  private @Nullable Connection connection;
  private Optional<Deadline.Guard> guard = Optional.empty();
  private boolean prepared;
  private boolean opened;
  private boolean endSent;
  private boolean unproven;
  private boolean over;

  /**
   * Creates a session that has not begun.
   *
   * @param ranModuleCode whether a module's SQL may have run, which can leave state behind
   * @param deadline sets a deadline if the server does not
   * @param used the pool's connections that may still have settings of a tenant
   */
  public Session(
      DataSource pool,
      Opening opening,
      TransactionOptions options,
      BooleanSupplier ranModuleCode,
      Function<Connection, Optional<Deadline.Guard>> deadline,
      UsedConnections used) {
    this.pool = pool;
    this.opening = opening;
    this.options = options;
    this.ranModuleCode = ranModuleCode;
    this.deadline = deadline;
    this.used = used;
  }

  /**
   * Prepares a statement. The first one is sent with the opening, and with the end if it is the
   * only one.
   */
  public PreparedStatement prepare(String sql) throws SQLException {
    PlainStatement.require(sql);
    refuseIf(prepared && options.oneStatement());
    prepared = true;
    var current = connection();
    if (opened) {
      return current.prepareStatement(sql);
    }
    used.add(current);
    var withEnd = isWhole();
    var whole = current.prepareStatement(start() + sql + (withEnd ? "; COMMIT" : ""));
    opening.bind(whole, 0, current);
    return withEnd
        ? PipelinedStatement.of(whole, opening, this::sendWithEnd, Optional.empty())
        : PipelinedStatement.of(whole, opening, this::send, Optional.of(() -> alone(sql)));
  }

  // To fetch rows in parts, the driver uses a cursor, which works only for a statement sent by
  // itself.
  private PreparedStatement alone(String sql) throws SQLException {
    open();
    return connection().prepareStatement(sql);
  }

  /**
   * Calls a function of the platform.
   *
   * @param within supplies the opening if the call is the whole transaction, and is called only
   *     then
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

  // The statement commits itself.
  private <R> R whole(PlatformCall<R> call, Opening opening, @Nullable Object... values)
      throws SQLException {
    var current = connection();
    current.setAutoCommit(true);
    var isUsed = used.has(current);
    try (var statement = current.prepareStatement(whole(call, opening, isUsed))) {
      opening.bind(statement, call.bind(statement, values), current);
      endSent = true;
      var answer = call.answer(statement);
      used.remove(current);
      return answer;
    }
  }

  // The opening is in the FROM clause, because a function in the select list runs for each row of
  // that clause and so sees the settings. The opening also resets earlier settings of the
  // connection. A call that brings its own proof does not, so it is used only on a clean
  // connection.
  private static String whole(PlatformCall<?> call, Opening opening, boolean isUsed) {
    return call.provenSql()
        .filter(_ -> opening.onlyProves() && !isUsed)
        .orElseGet(() -> call.sql() + " from (" + opening.sql() + ") as opening");
  }

  private static void refuseIf(boolean isSecond) {
    if (isSecond) {
      throw new IllegalStateException("the transaction is one of one statement, and had it");
    }
  }

  // The result of the cleaning has to be read, so the cleaning is sent by itself.
  private boolean isWhole() {
    return options.oneStatement() && !ranModuleCode.getAsBoolean();
  }

  private boolean sendWithEnd(PreparedStatement statement) throws SQLException {
    refuseIf(endSent);
    endSent = true;
    return send(statement);
  }

  // The text of the first statement begins the transaction. The driver's own BEGIN would be an
  // extra packet in each direction, which was a tenth of a transaction's cost; and the driver sends
  // none in auto-commit mode.
  private boolean send(PreparedStatement statement) throws SQLException {
    var driver = UsedConnections.driver(connection());
    if (driver.getTransactionState() != TransactionState.IDLE) {
      throw new IllegalStateException("the connection has a transaction already");
    }
    driver.setAutoCommit(true);
    try {
      var isResultSet = statement.execute();
      opened = true;
      return isResultSet;
    } finally {
      if (!driver.isClosed()) {
        driver.setAutoCommit(false);
      }
    }
  }

  private String start() {
    return begin() + opening.sql();
  }

  private String begin() {
    if (!options.readOnly() && options.isolation() == Isolation.READ_COMMITTED) {
      return "BEGIN; ";
    }
    return "BEGIN ISOLATION LEVEL %s%s; "
        .formatted(
            options.isolation().name().replace('_', ' '), options.readOnly() ? ", READ ONLY" : "");
  }

  /** Sends the opening by itself, before a statement that cannot be sent together with it. */
  public void open() throws SQLException {
    if (opened) {
      return;
    }
    var current = connection();
    used.add(current);
    try (var statement = current.prepareStatement(start())) {
      opening.bind(statement, 0, current);
      send(statement);
    }
  }

  /**
   * Sets a savepoint after the opening, so that the transaction keeps its tenant if it rolls back
   * to the savepoint.
   */
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

  private void commit(Connection current) throws SQLException {
    if (ranModuleCode.getAsBoolean()) {
      discardIf(CleanEnd.COMMIT.of(current));
    } else {
      current.commit();
    }
  }

  public void rollback() throws SQLException {
    over = true;
    if (connection != null && liftDeadline() && !hasEnded(connection)) {
      if (ranModuleCode.getAsBoolean()) {
        discardIf(CleanEnd.ROLLBACK.of(connection));
      } else {
        connection.rollback();
      }
    }
  }

  // A failed statement also ended the transaction that was to commit with it.
  private boolean hasEnded(Connection current) throws SQLException {
    return endSent
        && UsedConnections.driver(current).getTransactionState() == TransactionState.IDLE;
  }

  private void discardIf(boolean isSpoiled) throws SQLException {
    if (isSpoiled) {
      log.warn("a connection is closed, because SQL of a tenant prepared a statement on it");
      discard();
    } else if (connection != null) {
      used.remove(connection);
    }
  }

  /** Breaks the connection, so that the pool never hands it out again. */
  public void discard() {
    if (connection != null) {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        log.debug("the connection was broken already", e);
      }
    }
  }

  /** Returns the connection to the pool; uncommitted writes are rolled back. */
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

  /** Returns whether the database refused the proof of the transaction's tenant. */
  public boolean isUnproven() {
    return unproven;
  }

  /** Translates an error of the connection for the transaction's caller. */
  public JobsException translate(SQLException e) {
    unproven |= SqlErrors.isUnproven(e);
    if (SqlErrors.isStatementGone(e)) {
      discard(); // The driver would keep sending the same prepared statement.
    }
    return endSent && SqlErrors.isOpen(e)
        ? SqlErrors.outcomeUnknown(e)
        : guard.isPresent() && guard.get().isExpired() ? expired(e) : SqlErrors.translate(e);
  }

  /** Translates an error of the commit, after which the outcome may be unknown. */
  public JobsException translateAtCommit(SQLException e) {
    return guard.isPresent() && guard.get().isExpired()
        ? expired(e)
        : SqlErrors.translateAtCommit(e);
  }

  private boolean liftDeadline() {
    return guard.isEmpty() || guard.get().lift();
  }

  /** Throws if the transaction has ended, or belongs to another thread. */
  public void requireUsable() {
    if (over) {
      throw new IllegalStateException("the transaction is over");
    }
    if (!Thread.currentThread().equals(thread)) {
      throw new IllegalStateException("the transaction belongs to the thread " + thread.getName());
    }
  }

  // On an interrupted virtual thread, the next I/O would break the connection and leave the outcome
  // unknown.
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
