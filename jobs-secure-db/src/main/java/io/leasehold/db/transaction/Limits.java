package io.leasehold.db.transaction;

import io.leasehold.db.DbConfig;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.connection.Deadline;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The time limits of a transaction and its statements, enforced by the server.
 *
 * <p>A server before version 17 ends an idle transaction, but not one that is busy with one short
 * statement after the other. {@link Deadline} ends such a transaction.
 *
 * @param ofSession the settings that sessions begin with, so that a transaction sets only what its
 *     options change; empty if sessions accept none
 */
public record Limits(
    DbConfig config, boolean serverEndsTransactions, Map<String, String> ofSession) {

  private static final int FIRST_WITH_TRANSACTION_TIMEOUT = 17;

  private static final String STATEMENT = "statement_timeout";
  private static final String LOCK = "lock_timeout";
  private static final String IDLE = "idle_in_transaction_session_timeout";
  static final String TRANSACTION = "transaction_timeout";

  /**
   * Returns the limits for a server of this major version.
   *
   * @param onSession whether sessions can begin with them
   */
  public static Limits of(DbConfig config, int serverVersion, boolean onSession) {
    var serverEnds = serverVersion >= FIRST_WITH_TRANSACTION_TIMEOUT;
    var limits = new Limits(config, serverEnds, Map.of());
    return onSession
        ? new Limits(config, serverEnds, Map.copyOf(limits.all(TransactionOptions.defaults())))
        : limits;
  }

  /** Returns the settings of one transaction. */
  Map<String, String> of(TransactionOptions options) {
    var settings = all(options);
    settings.entrySet().removeAll(ofSession.entrySet());
    return settings;
  }

  /** Returns the settings that take effect within the statement that sets them. */
  Map<String, String> ofCall(TransactionOptions options) {
    var settings = of(options);
    settings.remove(STATEMENT);
    settings.remove(IDLE);
    return settings;
  }

  private Map<String, String> all(TransactionOptions options) {
    var whole = millis(transaction(options));
    var settings = new LinkedHashMap<String, String>();
    settings.put(STATEMENT, millis(options.statementTimeout().orElse(config.statementTimeout())));
    settings.put(LOCK, millis(config.lockTimeout()));
    settings.put(IDLE, whole);
    if (serverEndsTransactions) {
      settings.put(TRANSACTION, whole);
    }
    return settings;
  }

  Duration transaction(TransactionOptions options) {
    return options.timeout().orElse(config.transactionTimeout());
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }
}
