package io.leasehold.plans;

import io.leasehold.jobs.RetryLater;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Tasks that run SQL files. */
public final class SqlFile {

  private SqlFile() {}

  /**
   * A task that runs an SQL file by {@code psql}, stops at its first error, and gives the last that
   * it printed. Its declared input is the text of the file, and not what that includes: changed, it
   * is run again, and so is what comes after it. If the file is another one by the time it is to
   * run, the job is put off, and begins with what the file is then.
   *
   * @throws UncheckedIOException if the file cannot be read, or is no UTF-8
   */
  public static Task<PostgresServer, String> task(String id, Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
    return Task.<PostgresServer, String>of(id, String.class, task -> run(task, file, text))
        .input(text);
  }

  // Its output would be kept as that of the text that was declared.
  private static String run(TaskContext<PostgresServer> task, Path file, String declared)
      throws Exception {
    if (!Files.readString(file).equals(declared)) {
      throw new RetryLater(Duration.ZERO);
    }
    return task.state().run(file);
  }
}
