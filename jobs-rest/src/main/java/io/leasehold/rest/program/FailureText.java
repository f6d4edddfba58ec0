package io.leasehold.rest.program;

import io.leasehold.db.JdbcUrl;
import io.leasehold.jobs.JobsException;
import io.leasehold.migrations.MigrationException;
import java.io.UncheckedIOException;
import java.util.Objects;

/** What a person reads of a failure: what its message says, where it was written for people. */
public final class FailureText {

  private FailureText() {}

  /** Says what failed. */
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

  /** A word of the command line as it may be repeated: a URL in it without its passwords. */
  public static String shown(String word) {
    return JdbcUrl.redacted(word);
  }

  private static String message(Exception failure) {
    return Objects.requireNonNullElse(failure.getMessage(), failure.toString());
  }
}
