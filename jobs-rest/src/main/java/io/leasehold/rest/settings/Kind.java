package io.leasehold.rest.settings;

/**
 * The type of a setting's value.
 *
 * @param <T> the Java type
 */
@FunctionalInterface
public interface Kind<T> {

  /**
   * Reads a value.
   *
   * @throws IllegalArgumentException with a message that begins with "must be" and has the allowed
   *     values and the value seen
   */
  T read(Value value);
}
