package io.leasehold.runs.docker;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The Docker command line. The client obeys its environment, so it receives a fixed list of
 * variables: where the engine is, how it is reached, and what any program needs. The list has no
 * variables of a run and no password of the worker.
 *
 * @param program the name of the program
 * @param environment the client's environment; variables that are not on the list are left out
 */
public record Docker(String program, Map<String, String> environment) {

  private static final Set<String> NEEDED =
      Set.of(
          "PATH",
          "HOME",
          "USER",
          "LANG",
          "LC_ALL",
          "TZ",
          "TMPDIR",
          "XDG_RUNTIME_DIR",
          "SSH_AUTH_SOCK",
          "SSL_CERT_FILE",
          "SSL_CERT_DIR",
          "DOCKER_HOST",
          "DOCKER_CONTEXT",
          "DOCKER_CONFIG",
          "DOCKER_CERT_PATH",
          "DOCKER_TLS_VERIFY",
          "DOCKER_API_VERSION",
          "HTTP_PROXY",
          "HTTPS_PROXY",
          "NO_PROXY",
          "http_proxy",
          "https_proxy",
          "no_proxy");

  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final int TEXT_MAX = 4_000;

  /**
   * The result of a command.
   *
   * @param code the exit code, 0 for success
   * @param out its standard output
   * @param err its standard error
   */
  public record Answer(int code, String out, String err) {

    public boolean isDone() {
      return code == 0;
    }

    /** Whether the object of the command does not exist. */
    public boolean isAbsent() {
      return !isDone() && err.contains("No such");
    }
  }

  /** Leaves out variables that are not on the list. */
  public Docker {
    environment =
        environment.entrySet().stream()
            .filter(variable -> NEEDED.contains(variable.getKey()))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Creates a client that finds the engine as this process would. */
  public static Docker of(String program) {
    return new Docker(program, System.getenv());
  }

  /** Runs a command; an interrupt kills the program and throws. */
  public Answer ask(String... words) throws IOException, InterruptedException {
    return ask(List.of(words));
  }

  /** Runs a command; an interrupt kills the program and throws. */
  public Answer ask(List<String> words) throws IOException, InterruptedException {
    return run(
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

  /** Runs a command, and continues when interrupted. */
  public Answer tell(String... words) throws IOException {
    return run(
        List.of(words),
        program -> {
          program.onExit().completeOnTimeout(program, LIMIT.toSeconds(), TimeUnit.SECONDS).join();
          return !program.isAlive();
        });
  }

  /** Starts a command in the background that writes its output to a file for as long as it runs. */
  public Process follow(Path file, String... words) throws IOException {
    return builder(List.of(words)).redirectErrorStream(true).redirectOutput(file.toFile()).start();
  }

  /** How to wait for the program to end. */
  @FunctionalInterface
  private interface Wait<E extends Exception> {
    boolean isOver(Process program) throws E;
  }

  // Output goes to files: pipes would have to be read during the wait.
  private <E extends Exception> Answer run(List<String> words, Wait<E> wait) throws IOException, E {
    var out = Files.createTempFile("docker", ".out");
    var err = Files.createTempFile("docker", ".err");
    try {
      var builder = builder(words).redirectOutput(out.toFile()).redirectError(err.toFile());
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
    var builder = new ProcessBuilder(all);
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder.redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
  }

  private static String bounded(Path file) throws IOException {
    var text = Files.readString(file).strip();
    return text.length() > TEXT_MAX ? text.substring(0, TEXT_MAX) : text;
  }
}
