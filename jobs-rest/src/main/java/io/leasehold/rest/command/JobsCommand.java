package io.leasehold.rest.command;

import io.leasehold.rest.client.Call;
import io.leasehold.rest.client.FollowEvents;
import io.leasehold.rest.client.JobTexts;
import io.leasehold.rest.client.JobsServer;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** The commands for the jobs of a running server. */
@Command(
    name = "jobs",
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Lists, shows and changes jobs of a running server.")
final class JobsCommand {

  private static final int ACCEPTED = 202;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * Four keep-alives at the server's default. If a server is configured with a longer interval, the
   * client reconnects.
   */
  private static final Duration SILENCE = Duration.ofMinutes(1);

  private final PrintWriter out;

  JobsCommand(PrintWriter out) {
    this.out = out;
  }

  @Command(mixinStandardHelpOptions = true, description = "Lists jobs, the newest first.")
  void list(@Mixin ServerOptions options, @Mixin FilterOptions filter) {
    withServer(
        options, server -> tell(options, server, filter.call(), it -> lines(JobTexts.page(it))));
  }

  @Command(mixinStandardHelpOptions = true, description = "Shows one job.")
  void show(
      @Mixin ServerOptions options,
      @Parameters(paramLabel = "JOB") String job,
      @Option(
              names = "--wait",
              paramLabel = "TIME",
              description = "How long to wait for its end before it is shown, as in 30s.")
          Optional<String> wait) {
    var call = Call.get("jobs", job).with("wait", wait);
    withServer(options, server -> tell(options, server, call, it -> lines(JobTexts.job(it))));
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Shows what happened to a job, or follows it to its end.")
  void events(
      @Mixin ServerOptions options,
      @Parameters(paramLabel = "JOB") String job,
      @Option(
              names = "--after",
              paramLabel = "CURSOR",
              description = "Only what came after this event.")
          Optional<String> after,
      @Option(names = "--limit", description = "The most events to show, without --follow.")
          Optional<String> limit,
      @Option(
              names = {"-f", "--follow"},
              description = "Show events as they happen.")
          boolean follow) {
    if (follow) {
      withServer(options, server -> follow(options, server, job, after.orElse("")));
    } else {
      var call = Call.get("jobs", job, "events").with("after", after).with("limit", limit);
      withServer(options, server -> tell(options, server, call, this::events));
    }
  }

  private void events(JsonNode page) {
    page.path("events").forEach(it -> out.println(JobTexts.event(it)));
  }

  private void follow(ServerOptions options, JobsServer server, String job, String after) {
    Consumer<String> show =
        options.isJson() ? out::println : text -> out.println(JobTexts.event(server.parsed(text)));
    try {
      new FollowEvents(server, PATIENCE, SILENCE)
          .follow(Call.get("jobs", job, "events", "stream"), after, show);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Ends a waiting job, and asks a running one to end.")
  void cancel(@Mixin ServerOptions options, @Parameters(paramLabel = "JOB") String job) {
    withServer(
        options, server -> tell(options, server, Call.post("jobs", job, "cancel"), this::outcome));
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Queues a failed, timed-out or cancelled job again.")
  void retry(@Mixin ServerOptions options, @Parameters(paramLabel = "JOB") String job) {
    withServer(
        options, server -> tell(options, server, Call.post("jobs", job, "retry"), this::outcome));
  }

  private void outcome(JsonNode answer) {
    out.println(answer.path("outcome").asString("done"));
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Removes a job, and all that belongs to it.")
  void delete(
      @Mixin ServerOptions options,
      @Parameters(paramLabel = "JOB") String job,
      @Option(names = "--force", description = "Also a running job: it is asked to stop.")
          boolean force) {
    var call = Call.delete("jobs", job).with("force", Optional.of(true).filter(it -> force));
    withServer(
        options,
        server -> {
          var answer = server.answer(call);
          out.println(
              answer.status() == ACCEPTED
                  ? "requested: it is removed when it has ended"
                  : "deleted");
        });
  }

  /** Lists the handlers of the running workers. */
  void handlers(ServerOptions options) {
    withServer(
        options,
        server -> tell(options, server, Call.get("handlers"), it -> lines(JobTexts.handlers(it))));
  }

  private void tell(
      ServerOptions options, JobsServer server, Call call, Consumer<JsonNode> inWords) {
    var body = server.answer(call).body();
    if (options.isJson()) {
      out.println(body);
    } else {
      inWords.accept(server.parsed(body));
    }
  }

  private void lines(Iterable<String> lines) {
    lines.forEach(out::println);
  }

  private static void withServer(ServerOptions options, Consumer<JobsServer> work) {
    try (var server = options.open()) {
      work.accept(server);
    }
  }
}
