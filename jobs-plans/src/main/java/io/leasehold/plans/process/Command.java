package io.leasehold.plans.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that runs to completion.
 *
 * @param words the program and its arguments; no shell parses them
 * @param environment variables added to those inherited from this process
 * @param isAlone whether to inherit only the path of programs, the locale and the time zone from
 *     this process's environment
 * @param most how long it may take
 */
public record Command(
    List<String> words, Map<String, String> environment, boolean isAlone, Duration most) {

  private static final Duration LONG = Duration.ofDays(30);
  private static final Duration KILLED_WITHIN = Duration.ofSeconds(5);
  private static final Duration LOOK_EVERY = Duration.ofMillis(1);
  private static final int SAID_MOST = 16_384;
  private static final Set<String> COMMON =
      Set.of("PATH", "HOME", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LD_LIBRARY_PATH");

  /** Copies the arguments. */
  public Command {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
  }

  /** Creates a command without a time limit of its own: it may take as long as the job. */
  public static Command of(List<String> words) {
    return new Command(words, Map.of(), false, LONG);
  }

  /** Creates a command without a time limit of its own: it may take as long as the job. */
  public static Command of(String... words) {
    return of(List.of(words));
  }

  /**
   * Sets the environment, which has no other relevant variables: the worker's settings for other
   * servers, and its secrets, are not passed to this program.
   */
  public Command alone(Map<String, String> environment) {
    return new Command(words, environment, true, most);
  }

  /** Limits how long it may take. */
  public Command most(Duration most) {
    return new Command(words, environment, isAlone, most);
  }

  /**
   * The result of a finished program.
   *
   * @param code the exit code, 0 for success
   * @param said the end of its standard output
   * @param errors the end of its standard error
   */
  public record Ended(int code, String said, String errors) {

    /** The explanation that it gave for its failure. */
    public String why() {
      return errors.isEmpty() ? said : errors;
    }
  }

  /**
   * Runs the program. An interrupt or the time limit kills it.
   *
   * @throws IOException if there is no such program, or it took too long
   */
  public Ended run() throws IOException, InterruptedException {
    return run(SAID_MOST, false);
  }

  private Ended run(int saidMost, boolean isWhole) throws IOException, InterruptedException {
    try (var said = SaidFile.make();
        var errors = SaidFile.make()) {
      var code = await(start(said, errors));
      if (isWhole && said.length() > saidMost) {
        throw new IOException(
            "%s said %d bytes, and may say %d".formatted(program(), said.length(), saidMost));
      }
      return new Ended(code, said.last(saidMost), errors.last(SAID_MOST));
    }
  }

  private Process start(SaidFile said, SaidFile errors) throws IOException {
    var builder = new ProcessBuilder(words).redirectInput(new File("/dev/null"));
    builder.redirectOutput(said.redirect()).redirectError(errors.redirect());
    if (isAlone) {
      builder.environment().keySet().removeIf(name -> !COMMON.contains(name) && !isLocale(name));
    }
    builder.environment().putAll(environment);
    var process = builder.start();
    said.forgetName();
    errors.forgetName();
    return process;
  }

  private static boolean isLocale(String variable) {
    return variable.startsWith("LC_");
  }

  private int await(Process process) throws IOException, InterruptedException {
    try {
      if (!process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException("%s took longer than %s".formatted(words.getFirst(), most));
      }
      return process.exitValue();
    } finally {
      end(process.toHandle());
    }
  }

  // Returns only when the processes have ended, because the files they write to are about to be
  // deleted.
  private static void end(ProcessHandle process) {
    var all = process.descendants().toList();
    all.forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    var deadline = System.nanoTime() + KILLED_WITHIN.toNanos();
    while ((process.isAlive() || all.stream().anyMatch(Command::isAlive))
        && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  // A process that has ended has no program any more, even if no parent has reaped it.
  private static boolean isAlive(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }

  /**
   * Runs the program and returns the end of its output.
   *
   * @throws IOException if it did not succeed; the message has the end of its errors
   */
  public String succeed() throws IOException, InterruptedException {
    return requireSuccess(run());
  }

  /**
   * Runs the program and returns all of its output.
   *
   * @param bytesMost the size limit of the output
   * @throws IOException if it did not succeed, or exceeded the limit
   */
  public String answer(int bytesMost) throws IOException, InterruptedException {
    return requireSuccess(run(bytesMost, true));
  }

  private String requireSuccess(Ended ended) throws IOException {
    if (ended.code() != 0) {
      throw new IOException("%s ended with %d: %s".formatted(program(), ended.code(), ended.why()));
    }
    return ended.said();
  }

  private Path program() {
    return Path.of(words.getFirst()).getFileName();
  }
}
