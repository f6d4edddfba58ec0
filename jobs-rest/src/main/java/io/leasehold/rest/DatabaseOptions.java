package io.leasehold.rest;

import io.leasehold.rest.program.Database;
import io.leasehold.rest.program.Databases;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which database a command works on. */
final class DatabaseOptions {

  @Option(
      names = "--jdbc-url",
      description =
          "A PostgreSQL database, as in jdbc:postgresql://host:5432/name. Default: a server of its"
              + " own.")
  private Optional<String> jdbcUrl = Optional.empty();

  @Option(
      names = "--data",
      description = "The folder of the server of its own. Default: ${DEFAULT-VALUE}.",
      defaultValue = "${env:LEASEHOLD_DATA:-data}")
  private Path data = Path.of("data");

  Database open() {
    return databases().open(jdbcUrl);
  }

  Database openExisting() {
    return databases().openExisting(jdbcUrl);
  }

  private Databases databases() {
    return new Databases(System.getenv(), data);
  }
}
