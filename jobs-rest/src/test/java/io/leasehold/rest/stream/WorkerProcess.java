package io.leasehold.rest.stream;

import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A worker in a process of its own.
 *
 * @param process it
 * @param name what it is called
 */
record WorkerProcess(Process process, String name) implements AutoCloseable {

  /** Starts one, and does not wait until it works. */
  static WorkerProcess on(TestDatabase database) throws IOException {
    var name = UUID.randomUUID().toString();
    return new WorkerProcess(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dguice_bytecode_gen_option=DISABLED",
                "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"),
                "-cp",
                System.getProperty("java.class.path"),
                WorkerMain.class.getName(),
                database.jdbcUrl(),
                name)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.INHERIT)
            .start(),
        name);
  }

  /** Ends it where it is, as {@code kill -9} does. */
  void kill() {
    process.destroyForcibly();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
