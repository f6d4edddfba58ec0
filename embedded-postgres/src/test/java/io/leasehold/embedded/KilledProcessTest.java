package io.leasehold.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledProcessTest {

  @TempDir private Path folder;

  @Test
  void leavesItsDataToTheNextProcess() throws Exception {
    var abandoned = killAfterWriting();
    assertThat(abandoned.isAlive()).isTrue();

    try (var server = EmbeddedServer.in(folder, Map.of())) {
      assertThat(new Sql(server).answer("SELECT value FROM kept")).isEqualTo("7");
    }
    await().until(() -> !abandoned.isAlive()); // The system takes it away when it gets to it.
  }

  @Test
  void leavesAnInitdbThatDoesNotDisturbTheNextProcess() throws Exception {
    var process = startWriter();
    await().atMost(Duration.ofSeconds(60)).until(this::initdbWrites);
    process.destroyForcibly().waitFor();

    try (var server = EmbeddedServer.in(folder, Map.of())) {
      assertThat(new Sql(server).answer("SELECT 7")).isEqualTo("7");
    }
  }

  private boolean initdbWrites() throws IOException {
    try (var halves = Files.newDirectoryStream(folder, "cluster.half*")) {
      for (var half : halves) {
        return Files.exists(half.resolve("PG_VERSION"));
      }
    }
    return false;
  }

  /** Starts a server in another process and kills that, so that the server stays behind. */
  private ProcessHandle killAfterWriting() throws IOException, InterruptedException {
    var process = startWriter();
    try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
      waitFor(Writer.DONE, lines);
    }
    process.destroyForcibly().waitFor();
    var pid = Files.readAllLines(folder.resolve("cluster/postmaster.pid")).getFirst();
    return ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
  }

  private Process startWriter() throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var classPath = System.getProperty("java.class.path");
    var command = List.of(java, "-cp", classPath, Writer.class.getName(), folder.toString());
    return new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
  }

  private static void waitFor(String expected, BufferedReader lines) throws IOException {
    for (var line = lines.readLine(); !expected.equals(line); line = lines.readLine()) {
      assertThat(line).as("output of the process before it ended").isNotNull();
    }
  }

  /** The process that is killed. */
  static final class Writer {

    static final String DONE = "done";

    private Writer() {}

    public static void main(String[] args) throws SQLException, InterruptedException {
      var server = EmbeddedServer.in(Path.of(args[0]), Map.of());
      new Sql(server).execute("CREATE TABLE kept AS SELECT 7 AS value");
      System.out.println(DONE);
      Thread.currentThread().join();
    }
  }
}
