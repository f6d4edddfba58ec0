package io.leasehold.rest.settings;

import java.util.Locale;
import java.util.function.BiFunction;

/**
 * One setting: what it is called, how it is read, and what it changes.
 *
 * @param key as in a file: {@code leasehold.rest.port}
 * @param kind how its value is read
 * @param change gives a copy of the configuration with the value; refuses a value out of its bounds
 *     with an {@link IllegalArgumentException}
 * @param secret whether its value is never shown
 * @param <C> the configuration
 * @param <T> the value
 */
public record Setting<C, T>(String key, Kind<T> kind, BiFunction<C, T, C> change, boolean secret) {

  static final String ROOT = "leasehold";

  /** A setting whose value may be shown; its key begins behind {@code leasehold.}. */
  public static <C, T> Setting<C, T> of(String key, Kind<T> kind, BiFunction<C, T, C> change) {
    return new Setting<>(ROOT + "." + key, kind, change, false);
  }

  /** A setting whose value is never shown. */
  public static <C, T> Setting<C, T> secret(String key, Kind<T> kind, BiFunction<C, T, C> change) {
    return new Setting<>(ROOT + "." + key, kind, change, true);
  }

  /** A setting of one object in a list; its key is the whole of it. */
  public static <C, T> Setting<C, T> part(String key, Kind<T> kind, BiFunction<C, T, C> change) {
    return new Setting<>(key, kind, change, false);
  }

  /** The environment variable of the same meaning: {@code LEASEHOLD_REST_PORT}. */
  public String variable() {
    return variable(key);
  }

  static String variable(String key) {
    return key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /**
   * Reads the value and changes the configuration.
   *
   * @throws IllegalArgumentException if it is not what it has to be
   */
  C applied(C config, Value value) {
    return change.apply(config, kind.read(value));
  }
}
