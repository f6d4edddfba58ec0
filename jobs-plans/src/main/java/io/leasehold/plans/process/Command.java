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
 * A program to be run to its end.
 *
 * @param words it and its arguments; no shell reads them
 * @param environment what it is told besides what it has of this process
 * @param isAlone whether it has nothing of this process's environment but where programs are, and
 *     which language and zone are spoken
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

  /** Copies what it is given. */
  public Command {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
  }

  /** It may take as long as the job may. */
  public static Command of(List<String> words) {
    return new Command(words, Map.of(), false, LONG);
  }

  /** It may take as long as the job may. */
  public static Command of(String... words) {
    return of(List.of(words));
  }

  /**
   * With these words in its environment, and no others that mean anything to it: what the worker
   * was told of another server, or of its secrets, is not for this program.
   */
  public Command alone(Map<String, String> environment) {
    return new Command(words, environment, true, most);
  }

  /** It may take so long. */
  public Command most(Duration most) {
    return new Command(words, environment, isAlone, most);
  }

  /**
   * How it ended.
   *
   * @param code 0 is success
   * @param said the last that it wrote to its output
   * @param errors the last that it wrote as errors
   */
  public record Ended(int code, String said, String errors) {

    /** What it said of its failure. */
    public String why() {
      return errors.isEmpty() ? said : errors;
    }
  }

  /**
   * Runs it. An interrupt ends it, and so does the end of its time.
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
      builder.environment().keySet().removeIf(its -> !COMMON.contains(its) && !isLocale(its));
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

  // Returns when they are gone: what they write to is to be deleted.
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

  // What has ended has no program any more, also where nobody takes it off the list of processes.
  private static boolean isAlive(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }

  /**
   * Runs it, and answers the last that it said.
   *
   * @throws IOException if it did not succeed; has the last of its errors
   */
  public String succeed() throws IOException, InterruptedException {
    return requireSuccess(run());
  }

  /**
   * Runs it, and answers all that it said.
   *
   * @param bytesMost how much that may be
   * @throws IOException if it did not succeed, or said more
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
