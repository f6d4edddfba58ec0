package io.leasehold.db;

import java.time.Duration;
import java.util.Optional;

/**
 * The limits and guarantees of a transaction. Immutable; each method returns a changed copy.
 *
 * @param readOnly whether the database refuses writes
 * @param isolation what it sees of concurrent transactions
 * @param attempts how often the work runs at most, if it conflicts with transactions that changed
 *     the same rows, or if the connection is lost before the commit is sent
 * @param statementTimeout the limit of each statement; empty for the configured one
 * @param timeout the limit of the whole transaction; empty for the configured one
 * @param oneStatement whether its first statement is its last, and is committed together with it
 */
public record TransactionOptions(
    boolean readOnly,
    Isolation isolation,
    int attempts,
    Optional<Duration> statementTimeout,
    Optional<Duration> timeout,
    boolean oneStatement) {

  /** What a transaction sees of concurrent transactions, as in the SQL standard. */
  public enum Isolation {
    /** Each statement sees what was committed before it. */
    READ_COMMITTED,
    /** All statements see what was committed before the first of them. */
    REPEATABLE_READ,
    /** Transactions behave as if they ran one after the other; use several attempts with it. */
    SERIALIZABLE
  }

  private static final int ATTEMPTS_MAX = 100;
  private static final Duration MOST = Duration.ofDays(24); // The server counts to 2^31 ms.

  public TransactionOptions {
    if (attempts < 1 || attempts > ATTEMPTS_MAX) {
      throw new IllegalArgumentException(
          "attempts must be 1 to %d, not %d".formatted(ATTEMPTS_MAX, attempts));
    }
    requireBounds("statementTimeout", statementTimeout);
    requireBounds("timeout", timeout);
  }

  /** Returns the defaults: read and write, read committed, one attempt, the configured limits. */
  public static TransactionOptions defaults() {
    return new TransactionOptions(
        false, Isolation.READ_COMMITTED, 1, Optional.empty(), Optional.empty(), false);
  }

  /** Returns a copy whose writes the database refuses. */
  public TransactionOptions asReadOnly() {
    return new TransactionOptions(
        true, isolation, attempts, statementTimeout, timeout, oneStatement);
  }

  /** Returns a copy with this isolation; default {@code READ_COMMITTED}. */
  public TransactionOptions isolation(Isolation isolation) {
    return new TransactionOptions(
        readOnly, isolation, attempts, statementTimeout, timeout, oneStatement);
  }

  /**
   * Returns a copy that runs the work up to {@code attempts} times, 1 to 100. The work must be safe
   * to run again.
   */
  public TransactionOptions attempts(int attempts) {
    return new TransactionOptions(
        readOnly, isolation, attempts, statementTimeout, timeout, oneStatement);
  }

  /**
   * Returns a copy with a limit for each statement, 1 ms to 24 days, instead of the configured one.
   */
  public TransactionOptions statementTimeout(Duration limit) {
    return new TransactionOptions(
        readOnly, isolation, attempts, Optional.of(limit), timeout, oneStatement);
  }

  /**
   * Returns a copy with a limit for the whole transaction, 1 ms to 24 days, instead of the
   * configured one.
   */
  public TransactionOptions timeout(Duration limit) {
    return new TransactionOptions(
        readOnly, isolation, attempts, statementTimeout, Optional.of(limit), oneStatement);
  }

  /**
   * Returns a copy whose work sends one statement. It is committed in the same round trip, unless
   * it runs a module's code in the database. A second statement is refused, and nothing that the
   * work does after the first can undo it. If the work joins a running transaction, the end of that
   * transaction does not change.
   */
  public TransactionOptions asOneStatement() {
    return new TransactionOptions(readOnly, isolation, attempts, statementTimeout, timeout, true);
  }

  private static void requireBounds(String name, Optional<Duration> limit) {
    if (limit.isPresent() && (limit.get().toMillis() < 1 || limit.get().compareTo(MOST) > 0)) {
      throw new IllegalArgumentException(
          "%s must be 1 ms to %d days, not %s".formatted(name, MOST.toDays(), limit.get()));
    }
  }
}
