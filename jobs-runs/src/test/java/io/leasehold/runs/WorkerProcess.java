package io.leasehold.runs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A worker in a process of its own, to be killed.
 *
 * @param process it
 */
record WorkerProcess(Process process) implements AutoCloseable {

  /** Starts one, with the arguments of {@link WorkerMain}. */
  static WorkerProcess start(String... args) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dguice_bytecode_gen_option=DISABLED",
                "-Dorg.jooq.no-logo=true",
                "-Dorg.jooq.no-tips=true",
                "-Dleasehold.test.run-image=" + Scripts.IMAGE,
                "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"),
                "-cp",
                System.getProperty("java.class.path"),
                WorkerMain.class.getName()));
    command.addAll(List.of(args));
    return new WorkerProcess(
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** Ends it where it is. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Freezes it, or wakes it. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
