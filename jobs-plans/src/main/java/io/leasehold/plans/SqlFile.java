package io.leasehold.plans;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tasks that run SQL files. */
public final class SqlFile {

  private SqlFile() {}

  /**
   * A task that runs an SQL file by {@code psql}, stops at its first error, and gives the last that
   * it printed. Its declared input is the text of the file: changed, it is run again, and so is
   * what comes after it.
   *
   * @throws UncheckedIOException if the file cannot be read, or is no UTF-8
   */
  public static Task<PostgresServer, String> task(String id, Path file) {
    try {
      return Task.<PostgresServer, String>of(id, String.class, task -> task.state().run(file))
          .input(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
