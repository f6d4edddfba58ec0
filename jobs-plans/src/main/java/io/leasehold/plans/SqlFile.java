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
   * Creates a task that runs an SQL file with {@code psql}, stops at the first error, and outputs
   * the end of what it printed. The task's declared input is the text of the file, but not of files
   * that it includes. If the text changes, the task and all tasks after it are run again. If the
   * file changes before the task starts, the job is deferred and resumes with the new text.
   *
   * @throws UncheckedIOException if the file cannot be read, or is not UTF-8
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

  // Otherwise the output would be stored as that of the declared text.
  private static String run(TaskContext<PostgresServer> task, Path file, String declared)
      throws Exception {
    if (!Files.readString(file).equals(declared)) {
      throw new RetryLater(Duration.ZERO);
    }
    return task.state().run(file);
  }
}
