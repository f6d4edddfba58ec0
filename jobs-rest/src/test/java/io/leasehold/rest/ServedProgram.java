package io.leasehold.rest;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The program while it serves, as a client knows it.
 *
 * @param program in a process of its own
 * @param ready what its ready file says
 * @param folder where its files are
 */
record ServedProgram(RunningProgram program, JsonNode ready, Path folder) implements AutoCloseable {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Starts it, and waits until it is ready. */
  static ServedProgram start(Path folder, Map<String, String> environment, String... args)
      throws IOException {
    var readyFile = folder.resolve("ready");
    var data = List.of(args).contains("--data") ? "" : folder.resolve("data").toString();
    var all =
        Stream.concat(
                data.isEmpty() ? Stream.empty() : Stream.of("--data", data),
                Stream.concat(Stream.of("--ready-file", readyFile.toString()), Stream.of(args)))
            .toArray(String[]::new);
    var program =
        RunningProgram.start(Files.createTempFile(folder, "output", ""), environment, all);
    await().atMost(Duration.ofMinutes(3)).until(program::isReady);
    return new ServedProgram(program, JSON.readTree(Files.readString(readyFile)), folder);
  }

  String url() {
    return ready.path("url").asString();
  }

  String token(String tenant) {
    return ready.path("tokens").path(tenant).asString();
  }

  HttpResponse<String> get(String path, String token) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(url() + path));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    try (var client = HttpClient.newHttpClient()) {
      return client.send(request.build(), BodyHandlers.ofString());
    }
  }

  /** A tenant's jobs, the newest first. */
  List<JsonNode> jobs(String tenant) throws IOException, InterruptedException {
    var jobs = JSON.readTree(get("/api/v1/jobs", token(tenant)).body()).path("jobs");
    return jobs.valueStream().toList();
  }

  /** A tenant's first job of a handler whose id has this word. */
  JsonNode job(String tenant, String word) throws IOException, InterruptedException {
    return jobs(tenant).reversed().stream()
        .filter(it -> it.path("handler_id").asString().contains(word))
        .findFirst()
        .orElseThrow();
  }

  /** Runs a command against it, to its end. */
  RunningProgram command(String token, String... args) throws IOException {
    return command(Map.of("LEASEHOLD_TOKEN", token), args);
  }

  RunningProgram command(Map<String, String> environment, String... args) throws IOException {
    var all = new HashMap<>(Map.of("LEASEHOLD_URL", url()));
    all.putAll(environment);
    return RunningProgram.start(Files.createTempFile(folder, "command", ""), all, args);
  }

  /** Stops it in order, so that its server does not outlive it. */
  @Override
  public void close() {
    program.process().destroy();
    program.process().onExit().orTimeout(60, TimeUnit.SECONDS).join();
  }
}
