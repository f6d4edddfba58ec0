package io.leasehold.rest.settings;

import java.util.Locale;
import java.util.function.BiFunction;

/**
 * One setting: its name, its type, and what it changes.
 *
 * @param key the key in a file: {@code leasehold.rest.port}
 * @param kind the type of its value
 * @param change returns a copy of the configuration with the value; throws an {@link
 *     IllegalArgumentException} if the value is out of range
 * @param secret whether its value is never shown
 * @param <C> the configuration
 * @param <T> the value
 */
public record Setting<C, T>(String key, Kind<T> kind, BiFunction<C, T, C> change, boolean secret) {

  static final String ROOT = "leasehold";

  /** Creates a setting whose value may be shown; its key is relative to {@code leasehold.}. */
  public static <C, T> Setting<C, T> of(String key, Kind<T> kind, BiFunction<C, T, C> change) {
    return new Setting<>(ROOT + "." + key, kind, change, false);
  }

  /** Creates a setting whose value is never shown. */
  public static <C, T> Setting<C, T> secret(String key, Kind<T> kind, BiFunction<C, T, C> change) {
    return new Setting<>(ROOT + "." + key, kind, change, true);
  }

  /** Creates a setting of an object in a list; its key is complete. */
  public static <C, T> Setting<C, T> part(String key, Kind<T> kind, BiFunction<C, T, C> change) {
    return new Setting<>(key, kind, change, false);
  }

  /** The environment variable of the setting: {@code LEASEHOLD_REST_PORT}. */
  public String variable() {
    return variable(key);
  }

  static String variable(String key) {
    return key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /**
   * Reads the value and applies it to the configuration.
   *
   * @throws IllegalArgumentException if the value is invalid
   */
  C applied(C config, Value value) {
    return change.apply(config, kind.read(value));
  }
}
