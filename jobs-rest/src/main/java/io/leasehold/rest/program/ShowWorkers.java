package io.leasehold.rest.program;

import com.google.inject.Guice;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.engine.EngineConfig.Mode;
import io.leasehold.engine.EngineModule;
import io.leasehold.engine.RegisteredWorker;
import io.leasehold.engine.WorkerRegistry;
import io.leasehold.rest.client.TextTable;
import io.leasehold.rest.program.database.Database;
import io.leasehold.rest.program.database.Databases;
import io.leasehold.rest.settings.DurationSettings;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Shows the workers of a database to operators. Uses the engine's login, because tenants may not
 * read workers, and needs no running server.
 *
 * @param settings which database to use, and after how long without a heartbeat a worker is stale
 * @param out the output, for people, or for programs as JSON
 */
public record ShowWorkers(AllSettings settings, PrintWriter out) {

  /**
   * Prints one line for each worker.
   *
   * @param asJson whether each line is a JSON object
   */
  public void show(boolean asJson) {
    var databases =
        new Databases(settings.database().withFewConnections(), settings.program().data());
    try (var database = databases.openExisting()) {
      var workers = workers(database);
      (asJson ? workers.stream().map(ShowWorkers::json).toList() : lines(workers))
          .forEach(out::println);
    }
  }

  private List<RegisteredWorker> workers(Database database) {
    var engine = settings.engine().mode(Mode.WORKERS).roles(Set.of());
    var injector =
        Guice.createInjector(new SecureDbModule(database.runtime()), new EngineModule(engine));
    try (var opened = injector.getInstance(SecureDatabase.class)) {
      opened.start();
      return injector.getInstance(WorkerRegistry.class).workers();
    }
  }

  private static List<String> lines(List<RegisteredWorker> workers) {
    if (workers.isEmpty()) {
      return List.of("no worker is registered");
    }
    var table = new TextTable("WORKER", "VERSION", "STATE", "LAST HEARTBEAT", "RUNNING", "QUEUES");
    workers.forEach(
        worker ->
            table.add(
                worker.name(),
                worker.version(),
                worker.stale() ? "stale" : "live",
                inSeconds(worker.silentFor()) + " ago",
                "%d of %d".formatted(worker.running(), worker.slots()),
                queues(worker)));
    return table.lines();
  }

  private static String inSeconds(Duration time) {
    return DurationSettings.write(time.truncatedTo(ChronoUnit.SECONDS));
  }

  private static String queues(RegisteredWorker worker) {
    return worker.queues().entrySet().stream()
        .map(queue -> "%s %d".formatted(queue.getKey(), queue.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String json(RegisteredWorker worker) {
    var json =
        JsonNodeFactory.instance
            .objectNode()
            .put("name", worker.name())
            .put("version", worker.version())
            .put("started_at", worker.startedAt().toString())
            .put("seen_at", worker.seenAt().toString())
            .put("silent_ms", worker.silentFor().toMillis())
            .put("stale", worker.stale())
            .put("running", worker.running())
            .put("slots", worker.slots());
    var queues = json.putObject("queues");
    worker.queues().forEach(queues::put);
    return json.toString();
  }
}
