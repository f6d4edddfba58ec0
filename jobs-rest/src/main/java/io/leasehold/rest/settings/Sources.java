package io.leasehold.rest.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValueType;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The sources of settings: an option of the command line overrides the environment, which overrides
 * the file.
 *
 * @param options the options by key
 * @param environment the environment variables by name
 * @param file the file's contents; empty if no file was named
 */
public record Sources(Map<String, Option> options, Map<String, String> environment, Config file) {

  /**
   * An option of the command line.
   *
   * @param name the option's name, such as {@code --port}
   * @param text the text that follows it
   */
  public record Option(String name, String text) {}

  public Sources {
    options = Map.copyOf(options);
    environment = Map.copyOf(environment);
  }

  /**
   * Reads the file, if there is one, and uses the other sources as they are.
   *
   * @throws WrongSettings if the file cannot be read
   */
  public static Sources of(
      Map<String, Option> options, Map<String, String> environment, Optional<Path> file) {
    return new Sources(
        options, environment, file.map(Sources::read).orElseGet(ConfigFactory::empty));
  }

  private static Config read(Path file) {
    try {
      var strict = ConfigParseOptions.defaults().setAllowMissing(false);
      return ConfigFactory.parseFile(file.toFile(), strict).resolve();
    } catch (ConfigException e) {
      throw new WrongSettings("the file of settings cannot be read: " + e.getMessage(), e);
    }
  }

  /** Finds the value of a setting, if any source has it. */
  Optional<Value> find(Setting<?, ?> setting) {
    return Stream.of(byOption(setting), byVariable(setting), inFile(setting))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Optional<Value> byOption(Setting<?, ?> setting) {
    return Optional.ofNullable(options.get(setting.key()))
        .map(it -> Value.text(it.text(), it.name(), setting.key()));
  }

  private Optional<Value> byVariable(Setting<?, ?> setting) {
    return Optional.ofNullable(environment.get(setting.variable()))
        .map(it -> Value.text(it, setting.variable(), setting.key()));
  }

  private Optional<Value> inFile(Setting<?, ?> setting) {
    return file.hasPathOrNull(setting.key()) && !isNull(setting.key())
        ? Optional.of(Value.inFile(file.getValue(setting.key()), setting.key()))
        : Optional.empty();
  }

  private boolean isNull(String key) {
    return !file.hasPath(key) || file.getValue(key).valueType() == ConfigValueType.NULL;
  }
}
