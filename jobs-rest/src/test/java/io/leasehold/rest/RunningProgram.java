package io.leasehold.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The program in a process of its own.
 *
 * @param process it
 * @param output what it prints, errors included
 */
record RunningProgram(Process process, Path output) implements AutoCloseable {

  private static final int END_LIMIT_SECONDS = 60;

  static RunningProgram start(Path output, Map<String, String> environment, String... args)
      throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var classPath = System.getProperty("java.class.path");
    return start(
        output,
        environment,
        List.of(java, "-XX:TieredStopAtLevel=1", "-cp", classPath, Main.class.getName()),
        args);
  }

  /** Another way to start it: what stands before its arguments. */
  static RunningProgram start(
      Path output, Map<String, String> environment, List<String> program, String... args)
      throws IOException {
    var command = new ArrayList<>(program);
    command.addAll(List.of(args));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(it -> it.startsWith("LEASEHOLD_"));
    builder.environment().put("LEASEHOLD_REST_PORT", "0"); // as many at once as there are tests
    builder.environment().putAll(environment);
    return new RunningProgram(builder.redirectOutput(Redirect.to(output.toFile())).start(), output);
  }

  boolean isReady() {
    assertThat(process.isAlive()).as(said()).isTrue();
    return said().contains("\nready ");
  }

  String said() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Asks it to stop, as Ctrl-C does, and returns its exit code. */
  int stop() throws InterruptedException {
    process.destroy();
    return exitCode();
  }

  int exitCode() throws InterruptedException {
    assertThat(process.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS)).as(said()).isTrue();
    return process.exitValue();
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
