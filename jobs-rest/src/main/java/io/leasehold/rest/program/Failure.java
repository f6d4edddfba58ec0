package io.leasehold.rest.program;

import io.leasehold.db.JdbcUrl;
import io.leasehold.migrations.MigrationException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** What a person reads when the program ends for another reason than being told to. */
public final class Failure {

  private static final Logger log = LoggerFactory.getLogger(Failure.class);

  private Failure() {}

  /** Says what failed, without its stack trace, and how the program has to exit. */
  public static int explain(Exception failure, CommandLine command, ParseResult parsed) {
    log.debug("failed", failure);
    command.getErr().println("leasehold: " + inWords(failure));
    return ExitCode.SOFTWARE;
  }

  /** Says which arguments are not understood, and what would be. */
  public static int explainArguments(ParameterException failure, String[] arguments) {
    var command = failure.getCommandLine();
    command.getErr().println("leasehold: " + inWords(failure));
    command.usage(command.getErr());
    return ExitCode.USAGE;
  }

  private static String inWords(Exception failure) {
    return switch (failure) {
      case UnmatchedArgumentException e -> "not understood: " + quoted(e.getUnmatched());
      case ParameterException e -> message(e);
      case MigrationException e -> message(e);
      case UncheckedIOException e -> message(e) + ": " + e.getCause();
      case IllegalStateException e -> message(e);
      case IllegalArgumentException e -> message(e);
      default -> "unexpected failure: " + failure;
    };
  }

  private static String quoted(List<String> arguments) {
    return arguments.stream()
        .map(JdbcUrl::redacted)
        .map("'%s'"::formatted)
        .collect(Collectors.joining(", "));
  }

  private static String message(Exception failure) {
    return Objects.requireNonNullElse(failure.getMessage(), failure.toString());
  }
}
