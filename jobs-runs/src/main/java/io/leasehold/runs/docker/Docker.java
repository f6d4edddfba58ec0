package io.leasehold.runs.docker;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Docker's command line.
 *
 * @param program what it is called
 */
public record Docker(String program) {

  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final int TEXT_MAX = 4_000;

  /**
   * What it answered.
   *
   * @param code 0 if it did what it was told
   * @param out what it wrote
   * @param err what it complained about
   */
  public record Answer(int code, String out, String err) {

    public boolean isDone() {
      return code == 0;
    }

    /** Whether what it was asked about is not there. */
    public boolean isAbsent() {
      return !isDone() && err.contains("No such");
    }
  }

  /** Asks; interrupted, it ends the program and throws. */
  public Answer ask(String... words) throws IOException, InterruptedException {
    return ask(Map.of(), List.of(words));
  }

  /** Asks, with something in the program's environment. */
  public Answer ask(Map<String, String> environment, List<String> words)
      throws IOException, InterruptedException {
    return run(
        environment,
        words,
        program -> {
          try {
            return program.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            program.destroyForcibly();
            throw e;
          }
        });
  }

  /** Tells, and goes on when interrupted. */
  public Answer tell(String... words) throws IOException {
    return run(
        Map.of(),
        List.of(words),
        program -> {
          program.onExit().completeOnTimeout(program, LIMIT.toSeconds(), TimeUnit.SECONDS).join();
          return !program.isAlive();
        });
  }

  /** Has it write into a file for as long as it takes, beside this. */
  public Process follow(Path file, String... words) throws IOException {
    return builder(List.of(words)).redirectErrorStream(true).redirectOutput(file.toFile()).start();
  }

  /** How the end is waited for. */
  @FunctionalInterface
  private interface Wait<E extends Exception> {
    boolean isOver(Process program) throws E;
  }

  // Into files: pipes would have to be read while it is waited for.
  private <E extends Exception> Answer run(
      Map<String, String> environment, List<String> words, Wait<E> wait) throws IOException, E {
    var out = Files.createTempFile("docker", ".out");
    var err = Files.createTempFile("docker", ".err");
    try {
      var builder = builder(words).redirectOutput(out.toFile()).redirectError(err.toFile());
      builder.environment().putAll(environment);
      var process = builder.start();
      if (!wait.isOver(process)) {
        process.destroyForcibly();
        throw new IOException("docker %s takes too long".formatted(words.getFirst()));
      }
      return new Answer(process.exitValue(), Files.readString(out).strip(), bounded(err));
    } finally {
      Files.deleteIfExists(out);
      Files.deleteIfExists(err);
    }
  }

  private ProcessBuilder builder(List<String> words) {
    var all = new ArrayList<>(List.of(program));
    all.addAll(words);
    return new ProcessBuilder(all).redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
  }

  private static String bounded(Path file) throws IOException {
    var text = Files.readString(file).strip();
    return text.length() > TEXT_MAX ? text.substring(0, TEXT_MAX) : text;
  }
}
