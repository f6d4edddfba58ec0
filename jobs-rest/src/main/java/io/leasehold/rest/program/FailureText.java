package io.leasehold.rest.program;

import io.leasehold.db.JdbcUrl;
import io.leasehold.jobs.JobsException;
import io.leasehold.migrations.MigrationException;
import java.io.UncheckedIOException;
import java.util.Objects;

/** Explains an exception to a person: with its message, if that was written for people. */
public final class FailureText {

  private FailureText() {}

  /** Explains an exception. */
  public static String of(Exception failure) {
    return switch (failure) {
      case MigrationException e -> message(e);
      case JobsException e -> message(e);
      case UncheckedIOException e -> message(e) + ": " + e.getCause();
      case IllegalStateException e -> message(e);
      case IllegalArgumentException e -> message(e);
      default -> "unexpected failure: " + failure;
    };
  }

  /** Returns an argument in a form that is safe to repeat: passwords in a URL are removed. */
  public static String shown(String word) {
    return JdbcUrl.redacted(word);
  }

  private static String message(Exception failure) {
    return Objects.requireNonNullElse(failure.getMessage(), failure.toString());
  }
}
