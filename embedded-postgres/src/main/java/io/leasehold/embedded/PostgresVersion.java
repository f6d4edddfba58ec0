package io.leasehold.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Properties;

/** The major version of PostgreSQL: of data, and of the server that comes with this program. */
final class PostgresVersion {

  private PostgresVersion() {}

  static void requireThatOf(Path data) throws IOException {
    var found = Files.readString(data.resolve("PG_VERSION")).strip();
    var ours = own();
    if (!ours.equals(found)) {
      throw new IllegalStateException(
          ("the data in %s are of PostgreSQL %s, and this program brings PostgreSQL %s:"
                  + " move them away, or bring them over with pg_dump")
              .formatted(data, found, ours));
    }
  }

  private static String own() throws IOException {
    var properties = new Properties();
    try (var in = PostgresVersion.class.getResourceAsStream("postgres.properties")) {
      properties.load(Objects.requireNonNull(in));
    }
    return properties.getProperty("version").split("\\.", 2)[0];
  }
}
