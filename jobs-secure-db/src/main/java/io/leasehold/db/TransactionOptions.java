package io.leasehold.db;

import java.time.Duration;
import java.util.Optional;

/**
 * What a transaction is limited to, or guarantees. Immutable; each method returns a changed copy.
 *
 * @param readOnly whether writes are refused by the database
 * @param isolation what it sees of transactions beside it
 * @param attempts how often the work is run at most, while it meets others that changed the same
 *     rows, or the connection is lost before the commit is sent
 * @param statementTimeout of each statement; else the configured one
 * @param timeout of the whole transaction; else the configured one
 * @param oneStatement whether its first statement is its last, and committed together with it
 */
public record TransactionOptions(
    boolean readOnly,
    Isolation isolation,
    int attempts,
    Optional<Duration> statementTimeout,
    Optional<Duration> timeout,
    boolean oneStatement) {

  /** What a transaction sees of transactions beside it, as in the SQL standard. */
  public enum Isolation {
    /** Each statement sees what was committed before it. */
    READ_COMMITTED,
    /** All statements see what was committed before the first. */
    REPEATABLE_READ,
    /** As if transactions ran one after the other; ask for several attempts with it. */
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

  /** Read and write, read committed, one attempt, the configured limits. */
  public static TransactionOptions defaults() {
    return new TransactionOptions(
        false, Isolation.READ_COMMITTED, 1, Optional.empty(), Optional.empty(), false);
  }

  /** A copy whose writes the database refuses. */
  public TransactionOptions asReadOnly() {
    return new TransactionOptions(
        true, isolation, attempts, statementTimeout, timeout, oneStatement);
  }

  /** A copy that sees so much of transactions beside it; default {@code READ_COMMITTED}. */
  public TransactionOptions isolation(Isolation isolation) {
    return new TransactionOptions(
        readOnly, isolation, attempts, statementTimeout, timeout, oneStatement);
  }

  /** A copy that runs the work up to so many times, 1 to 100; it must bear being run again. */
  public TransactionOptions attempts(int attempts) {
    return new TransactionOptions(
        readOnly, isolation, attempts, statementTimeout, timeout, oneStatement);
  }

  /**
   * A copy with a limit for each statement, 1 ms to 24 days, in the place of the configured one.
   */
  public TransactionOptions statementTimeout(Duration limit) {
    return new TransactionOptions(
        readOnly, isolation, attempts, Optional.of(limit), timeout, oneStatement);
  }

  /**
   * A copy with a limit for the whole transaction, 1 ms to 24 days, in the place of the configured
   * one.
   */
  public TransactionOptions timeout(Duration limit) {
    return new TransactionOptions(
        readOnly, isolation, attempts, statementTimeout, Optional.of(limit), oneStatement);
  }

  /**
   * A copy whose work sends one statement, which is committed in the same round trip unless it runs
   * a module's code in the database. A second one is refused, and what the work does after it may
   * not undo it. Where the work joins a transaction that runs already, that one's end is not
   * changed.
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
