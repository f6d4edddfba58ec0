package io.leasehold.rest.command;

import io.leasehold.rest.client.ServerProblem;
import io.leasehold.rest.program.FailureText;
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

/** Explains to a person why the program failed. */
final class Failure {

  private static final Logger log = LoggerFactory.getLogger(Failure.class);

  private static final int NO_SERVER = 3;
  private static final int NO_JOB = 4;
  private static final int NOT_FOUND = 404;

  private Failure() {}

  /** Prints what failed, without a stack trace, and returns the exit code. */
  static int explain(Exception failure, CommandLine command, ParseResult parsed) {
    log.debug("failed", failure);
    command.getErr().println("leasehold: " + inWords(failure));
    return failure instanceof ServerProblem problem ? exitCode(problem) : ExitCode.SOFTWARE;
  }

  private static int exitCode(ServerProblem problem) {
    return switch (problem.status()) {
      case ServerProblem.UNREACHABLE -> NO_SERVER;
      case NOT_FOUND -> NO_JOB;
      default -> ExitCode.SOFTWARE;
    };
  }

  /** Prints which arguments are invalid, and what would be valid. */
  static int explainArguments(ParameterException failure, String[] arguments) {
    var command = failure.getCommandLine();
    command.getErr().println("leasehold: " + inWords(failure));
    command.usage(command.getErr());
    return ExitCode.USAGE;
  }

  private static String inWords(Exception failure) {
    return switch (failure) {
      case UnmatchedArgumentException e -> "not understood: " + quoted(e.getUnmatched());
      case ParameterException e -> Objects.requireNonNullElse(e.getMessage(), e.toString());
      default -> FailureText.of(failure);
    };
  }

  private static String quoted(List<String> arguments) {
    return arguments.stream()
        .map(FailureText::shown)
        .map("'%s'"::formatted)
        .collect(Collectors.joining(", "));
  }
}
