package io.leasehold.rest.command;

import io.leasehold.rest.program.AllSettings;
import io.leasehold.rest.settings.Sources;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The location of the settings, and the settings that every command accepts. */
final class SettingsOptions {

  private static final String CONFIG = "LEASEHOLD_CONFIG";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A file of settings, in HOCON. Default: LEASEHOLD_CONFIG, or none.")
  private Optional<Path> config = Optional.empty();

  @Option(
      names = "--jdbc-url",
      paramLabel = "URL",
      description =
          "A PostgreSQL database, as in jdbc:postgresql://host:5432/name. Default: a server of its"
              + " own.")
  private Optional<String> jdbcUrl = Optional.empty();

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description = "The folder of the server of its own. Default: LEASEHOLD_DATA, or data.")
  private Optional<String> data = Optional.empty();

  AllSettings read() {
    return read(new ServeOptions());
  }

  AllSettings read(ServeOptions more) {
    var options = new HashMap<String, Sources.Option>();
    ServeOptions.put(options, "leasehold.jdbc-url", "--jdbc-url", jdbcUrl);
    ServeOptions.put(options, "leasehold.data", "--data", data);
    more.putInto(options);
    return AllSettings.of(Sources.of(options, System.getenv(), config.or(SettingsOptions::file)));
  }

  /** Returns the settings that apply to every command in this environment. */
  static Sources surroundings() {
    return Sources.of(Map.of(), System.getenv(), file());
  }

  private static Optional<Path> file() {
    return Optional.ofNullable(System.getenv(CONFIG)).map(Path::of);
  }
}
