package io.leasehold.plans;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;

/** PostgreSQL's programs on this machine. */
final class Programs {

  private static final Path MEMORY = Path.of("/dev/shm");

  private Programs() {}

  /** Those of the server that the tests run on, or a word that there are none. */
  static Path ofServer(TestDatabase database) throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT setting FROM pg_config WHERE name = 'BINDIR'")) {
      rows.next();
      var folder = Path.of(rows.getString(1));
      assumeTrue(
          Files.isExecutable(folder.resolve("initdb"))
              && Files.isExecutable(folder.resolve("pg_ctl")),
          "the server of the tests is not on this machine: its programs are not here");
      return folder;
    }
  }

  /** Skips a test, with a word, where there is no psql. */
  static void requirePsql() {
    assumeTrue(isThere("psql"), "psql is not installed (Debian's postgresql-client)");
  }

  private static boolean isThere(String program) {
    return Arrays.stream(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /** A folder for servers: short, and in memory where the system has that. */
  static Path folder() throws IOException {
    return Files.isWritable(MEMORY)
        ? Files.createTempDirectory(MEMORY, "plans-")
        : Files.createTempDirectory("plans-");
  }
}
