package io.leasehold.plans.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program to be run to its end.
 *
 * @param words it and its arguments; no shell reads them
 * @param environment what it is told besides this process's own
 * @param most how long it may take
 */
public record Command(List<String> words, Map<String, String> environment, Duration most) {

  private static final Duration LONG = Duration.ofDays(30);
  private static final int SAID_MOST = 16_384;
  private static final Path NOTHING = Path.of("/dev/null");

  /** Copies what it is given. */
  public Command {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
  }

  /** It may take as long as the job may. */
  public static Command of(List<String> words) {
    return new Command(words, Map.of(), LONG);
  }

  /** It may take as long as the job may. */
  public static Command of(String... words) {
    return of(List.of(words));
  }

  /** With these words in its environment. */
  public Command with(Map<String, String> environment) {
    return new Command(words, environment, most);
  }

  /** It may take so long. */
  public Command most(Duration most) {
    return new Command(words, environment, most);
  }

  /**
   * How it ended.
   *
   * @param code 0 is success
   * @param said the last that it wrote, to its output and as errors
   */
  public record Ended(int code, String said) {}

  /**
   * Runs it. An interrupt ends it, and so does the end of its time.
   *
   * @throws IOException if there is no such program, or it took too long
   */
  public Ended run() throws IOException, InterruptedException {
    // Into a file: to wait for a pipe is nothing that an interrupt ends, and who inherited it holds
    // it open.
    var said = Files.createTempFile("leasehold-", ".said");
    try {
      var builder = new ProcessBuilder(words).redirectErrorStream(true);
      builder.redirectInput(NOTHING.toFile()).redirectOutput(Redirect.to(said.toFile()));
      builder.environment().putAll(environment);
      var code = await(builder.start());
      return new Ended(code, last(said));
    } finally {
      Files.delete(said);
    }
  }

  private int await(Process process) throws IOException, InterruptedException {
    try {
      if (!process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException("%s took longer than %s".formatted(words.getFirst(), most));
      }
      return process.exitValue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static String last(Path said) throws IOException {
    try (var file = new RandomAccessFile(said.toFile(), "r")) {
      file.seek(Math.max(0, file.length() - SAID_MOST));
      var bytes = new byte[SAID_MOST];
      var length = Math.max(0, file.read(bytes));
      return new String(bytes, 0, length, StandardCharsets.UTF_8).strip();
    }
  }

  /**
   * Runs it, and answers the last that it said.
   *
   * @throws IOException if it did not succeed; has what it said
   */
  public String succeed() throws IOException, InterruptedException {
    var ended = run();
    if (ended.code() != 0) {
      throw new IOException(
          "%s ended with %d: %s"
              .formatted(Path.of(words.getFirst()).getFileName(), ended.code(), ended.said()));
    }
    return ended.said();
  }
}
