package io.leasehold.rest.settings;

/**
 * How the value of a setting is read.
 *
 * @param <T> what it is in Java
 */
@FunctionalInterface
public interface Kind<T> {

  /**
   * Reads a value.
   *
   * @throws IllegalArgumentException that begins with "must be" and tells what is allowed and what
   *     was seen
   */
  T read(Value value);
}
