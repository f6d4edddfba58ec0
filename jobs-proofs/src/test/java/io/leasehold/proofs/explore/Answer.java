package io.leasehold.proofs.explore;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What an operation answered.
 *
 * @param operation which one
 * @param word what it said
 */
record Answer(Operation operation, String word) {

  private static final String ERROR = "error ";

  /** Whether it may have left something behind. */
  boolean isCommitted() {
    return operation.commits() && !isError();
  }

  boolean is(String name, String expected) {
    return isCommitted() && operation.name().equals(name) && word.equals(expected);
  }

  boolean says(String expected) {
    return isCommitted() && word.equals(expected);
  }

  boolean isError() {
    return word.startsWith(ERROR);
  }

  /** Whether it asks to be run again, which only some isolation levels do. */
  boolean isSerializationFailure() {
    return word.startsWith(ERROR + "40001");
  }

  static String error(Exception e) {
    if (e instanceof JobsException refusal && refusal.code() == ErrorCode.LEASE_LOST) {
      return Operation.REFUSED;
    }
    for (@Nullable Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException failure) {
        return ERROR + failure.getSQLState() + ": " + failure.getMessage();
      }
    }
    return ERROR + e;
  }

  @Override
  public String toString() {
    return operation.name() + " -> " + word;
  }
}
