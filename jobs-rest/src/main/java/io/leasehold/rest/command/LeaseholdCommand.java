package io.leasehold.rest.command;

import io.leasehold.rest.program.Serve;
import io.leasehold.rest.program.ShowWorkers;
import io.leasehold.rest.program.database.Doctor;
import io.leasehold.rest.program.database.Migrate;
import io.leasehold.rest.program.database.RotateKey;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The program's command line. Without a command it serves. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    synopsisSubcommandLabel = "[COMMAND]",
    description = "Runs background jobs for many tenants on PostgreSQL.",
    footerHeading = "%nSettings%n",
    footer = {
      "Each setting can be given in a file (--config) or by an environment variable; an option"
          + " wins",
      "over the environment, and that over the file. docs/operate/settings.md lists all. A given",
      "database, with --jdbc-url, needs some:",
      "  LEASEHOLD_JDBC_URL         the same as --jdbc-url",
      "  LEASEHOLD_ADMIN_USER       who migrates; without it, serve expects a migrated database",
      "  LEASEHOLD_ADMIN_PASSWORD",
      "  LEASEHOLD_TENANT_PASSWORD  of the role leasehold_tenant; migrating sets it",
      "  LEASEHOLD_ENGINE_PASSWORD  of the role leasehold_engine; migrating sets it",
      "Of a running server, jobs, handlers and health are asked with:",
      "  LEASEHOLD_URL              where it is; default as set by LEASEHOLD_REST_HOST and _PORT",
      "  LEASEHOLD_TOKEN            who asks",
      "The log goes to the error stream:",
      "  LEASEHOLD_LOG              json for a log of JSON objects, one a line",
    },
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:done",
      "1:one message says why not",
      "2:the command line was not understood",
      "3:no server answers there (jobs, handlers, health)",
      "4:there is no such job (jobs)",
    })
public final class LeaseholdCommand {

  private static final Set<String> WITHOUT_COMMAND = Set.of("-h", "--help", "-V", "--version");

  private static final int WIDTH = 100;

  private final PrintWriter out;
  private final JobsCommand jobs;

  private LeaseholdCommand(PrintWriter out) {
    this.out = out;
    this.jobs = new JobsCommand(out);
  }

  /**
   * Runs the command that the arguments name.
   *
   * @param name the name under which the program was called
   * @param out the output, for people and for pipes
   * @return the exit code
   */
  public static int execute(String name, PrintWriter out, String... arguments) {
    var top = new LeaseholdCommand(out);
    return new CommandLine(top)
        .setCommandName(name)
        .addSubcommand(top.jobs)
        .setOut(out)
        .setUsageHelpWidth(WIDTH)
        .setExecutionExceptionHandler(Failure::explain)
        .setParameterExceptionHandler(Failure::explainArguments)
        .execute(withCommand(arguments));
  }

  private static String[] withCommand(String... arguments) {
    return arguments.length == 0
            || (arguments[0].startsWith("-") && !WITHOUT_COMMAND.contains(arguments[0]))
        ? Stream.concat(Stream.of("serve"), Stream.of(arguments)).toArray(String[]::new)
        : arguments;
  }

  @Command(
      mixinStandardHelpOptions = true,
      versionProvider = ProgramVersion.class,
      description = "Migrates and verifies the database, and serves until it is stopped.")
  int serve(@Mixin SettingsOptions settings, @Mixin ServeOptions options)
      throws InterruptedException {
    new Serve(settings.read(options), out).untilStopped();
    return ExitCode.OK;
  }

  @Command(
      mixinStandardHelpOptions = true,
      versionProvider = ProgramVersion.class,
      description = "Brings the database to the schema of this program, and ends.")
  int migrate(@Mixin SettingsOptions options) {
    var settings = options.read();
    try (var database = settings.databases().open()) {
      new Migrate(out, settings.modules()).migrate(database);
    }
    return ExitCode.OK;
  }

  @Command(
      name = "rotate-key",
      mixinStandardHelpOptions = true,
      versionProvider = ProgramVersion.class,
      description = "Replaces the key that proves to the database whose a transaction is.")
  int rotateKey(
      @Mixin SettingsOptions options,
      @Option(
              names = "--stolen",
              description =
                  "Refuse the old key at once. Without this it is accepted for another hour, and"
                      + " no transaction fails.")
          boolean stolen) {
    try (var database = options.read().databases().openExisting()) {
      new RotateKey(out).rotate(database, stolen);
    }
    return ExitCode.OK;
  }

  @Command(
      mixinStandardHelpOptions = true,
      versionProvider = ProgramVersion.class,
      description = "Examines the database, changes nothing, and ends.")
  int doctor(@Mixin SettingsOptions options) {
    try (var database = options.read().databases().openExisting()) {
      new Doctor(out).examine(database);
    }
    return ExitCode.OK;
  }

  @Command(
      mixinStandardHelpOptions = true,
      versionProvider = ProgramVersion.class,
      description =
          "Lists the workers of the database: last heartbeat, version, load, and which are stale.")
  int workers(
      @Mixin SettingsOptions options,
      @Option(names = "--json", description = "Show a JSON object for each worker.") boolean json) {
    new ShowWorkers(options.read(), out).show(json);
    return ExitCode.OK;
  }

  @Command(
      mixinStandardHelpOptions = true,
      versionProvider = ProgramVersion.class,
      description = "Measures the queue beside raw SQL; from a clone of the repository only.")
  int bench(@Parameters(paramLabel = "ROW", arity = "0..*") List<String> rows) {
    out.println(
        "measuring needs a clone of the repository, and its own command there: ./run bench "
            + String.join(" ", rows));
    return ExitCode.SOFTWARE;
  }

  @Command(
      mixinStandardHelpOptions = true,
      versionProvider = ProgramVersion.class,
      description = "Makes a token of the development issuer, for a program started with it.")
  int token(@Mixin SettingsOptions settings, @Mixin TokenOptions options) {
    out.println(options.token(settings.read()));
    return ExitCode.OK;
  }

  @Command(
      mixinStandardHelpOptions = true,
      versionProvider = ProgramVersion.class,
      description = "Asks a running server which handlers its workers have.")
  int handlers(@Mixin ServerOptions options) {
    jobs.handlers(options);
    return ExitCode.OK;
  }

  @Command(
      mixinStandardHelpOptions = true,
      versionProvider = ProgramVersion.class,
      description = "Asks a running server whether it can do its work; without a token.")
  int health(
      @Mixin ServerOptions options,
      @Option(
              names = "--live",
              description =
                  "Ask whether it should go on, which it may without its database: for what"
                      + " restarts it.")
          boolean live) {
    try (var server = options.openAsNobody()) {
      out.println((live ? server.liveness() : server.readiness()).body());
    }
    return ExitCode.OK;
  }
}
