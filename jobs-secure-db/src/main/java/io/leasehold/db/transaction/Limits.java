package io.leasehold.db.transaction;

import io.leasehold.db.DbConfig;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.connection.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How long a transaction and its statements may take, enforced by the server.
 *
 * <p>A server before version 17 ends a transaction that is left idle, but not one that is busy with
 * one short statement after the other: {@link Deadline} ends that one.
 */
record Limits(DbConfig config, boolean serverEndsTransactions) {

  private static final int FIRST_WITH_TRANSACTION_TIMEOUT = 17;

  static Limits of(DbConfig config, int serverVersion) {
    return new Limits(config, serverVersion >= FIRST_WITH_TRANSACTION_TIMEOUT);
  }

  List<String> names() {
    var names =
        new ArrayList<>(
            List.of("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"));
    if (serverEndsTransactions) {
      names.add("transaction_timeout");
    }
    return names;
  }

  List<String> values(TransactionOptions options) {
    var whole = millis(transaction(options));
    var values =
        new ArrayList<>(
            List.of(
                millis(options.statementTimeout().orElse(config.statementTimeout())),
                millis(config.lockTimeout()),
                whole));
    if (serverEndsTransactions) {
      values.add(whole);
    }
    return values;
  }

  /** Those that hold for a statement in which they are set. */
  List<String> namesOfCall() {
    return serverEndsTransactions
        ? List.of("lock_timeout", "transaction_timeout")
        : List.of("lock_timeout");
  }

  List<String> valuesOfCall(TransactionOptions options) {
    var locks = millis(config.lockTimeout());
    return serverEndsTransactions ? List.of(locks, millis(transaction(options))) : List.of(locks);
  }

  Duration transaction(TransactionOptions options) {
    return options.timeout().orElse(config.transactionTimeout());
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }
}
