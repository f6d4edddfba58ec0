package io.leasehold.rest;

import io.leasehold.rest.program.Doctor;
import io.leasehold.rest.program.Failure;
import io.leasehold.rest.program.Migrate;
import io.leasehold.rest.program.ReadyFile;
import io.leasehold.rest.program.Serve;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program. Without a command it serves. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    description = "Runs background jobs for many tenants on PostgreSQL.",
    footer = {
      "",
      "A command's options: run serve --help. Without a command: serve.",
      "",
      "A given database, with --jdbc-url, takes its users from the environment:",
      "  LEASEHOLD_JDBC_URL         the same as --jdbc-url",
      "  LEASEHOLD_ADMIN_USER       who migrates; without it, serve expects a migrated database",
      "  LEASEHOLD_ADMIN_PASSWORD",
      "  LEASEHOLD_TENANT_PASSWORD  of the role leasehold_tenant; migrating sets it",
      "  LEASEHOLD_ENGINE_PASSWORD  of the role leasehold_engine; migrating sets it",
      "  LEASEHOLD_TENANT_USER      a login that is a member of leasehold_tenant, in its place",
      "  LEASEHOLD_ENGINE_USER      likewise of leasehold_engine",
      "  LEASEHOLD_NOTIFICATIONS    on (default) or off, for a transaction pooler",
      "  LEASEHOLD_LISTEN_URL       where to listen, past a pooler; default the database",
      "",
      "  LEASEHOLD_LOG              json for a log of JSON objects, one a line",
    })
public final class Main {

  private static final Set<String> WITHOUT_COMMAND = Set.of("-h", "--help", "-V", "--version");

  private final PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);

  private Main() {}

  /** Exits with 0, or with another code after one message that says what is wrong. */
  public static void main(String[] args) {
    var program =
        new CommandLine(new Main())
            .setExecutionExceptionHandler(Failure::explain)
            .setParameterExceptionHandler(Failure::explainArguments);
    System.exit(program.execute(withCommand(args)));
  }

  private static String[] withCommand(String[] args) {
    return args.length == 0 || (args[0].startsWith("-") && !WITHOUT_COMMAND.contains(args[0]))
        ? Stream.concat(Stream.of("serve"), Stream.of(args)).toArray(String[]::new)
        : args;
  }

  @Command(
      mixinStandardHelpOptions = true,
      versionProvider = ProgramVersion.class,
      description = "Migrates and verifies the database, and serves until it is stopped.")
  int serve(
      @Mixin DatabaseOptions options,
      @Option(
              names = "--ready-file",
              description = "A file that is there while the program is ready: its pid and jdbcUrl.")
          Optional<Path> readyFile)
      throws InterruptedException {
    new Serve(options::open, readyFile.map(ReadyFile::new), out).untilStopped();
    return CommandLine.ExitCode.OK;
  }

  @Command(
      mixinStandardHelpOptions = true,
      versionProvider = ProgramVersion.class,
      description = "Brings the database to the schema of this program, and ends.")
  int migrate(@Mixin DatabaseOptions options) {
    try (var database = options.open()) {
      new Migrate(out).migrate(database);
    }
    return CommandLine.ExitCode.OK;
  }

  @Command(
      mixinStandardHelpOptions = true,
      versionProvider = ProgramVersion.class,
      description = "Examines the database, changes nothing, and ends.")
  int doctor(@Mixin DatabaseOptions options) {
    try (var database = options.openExisting()) {
      new Doctor(out).examine(database);
    }
    return CommandLine.ExitCode.OK;
  }
}
