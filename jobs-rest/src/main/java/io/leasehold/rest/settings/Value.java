package io.leasehold.rest.settings;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;

/**
 * A value and its source.
 *
 * @param given the value: text, or from a file also a list or an object
 * @param name the source's name: an option, an environment variable, or a key
 * @param where more about the source, for people
 * @param asText whether it can only be text, as in an option or a variable
 */
public record Value(ConfigValue given, String name, String where, boolean asText) {

  static Value text(String text, String name, String where) {
    return new Value(ConfigValueFactory.fromAnyRef(text), name, where, true);
  }

  static Value inFile(ConfigValue given, String key) {
    return new Value(given, key, given.origin().description(), false);
  }

  boolean isObject() {
    return given instanceof ConfigObject;
  }

  boolean isList() {
    return given.valueType() == ConfigValueType.LIST;
  }

  /**
   * Returns a single word or number, as written in the file.
   *
   * @throws IllegalArgumentException if it is a list or an object
   */
  String text() {
    if (isObject() || isList()) {
      throw new IllegalArgumentException(
          "must be a single value, not " + (isList() ? "a list" : "an object"));
    }
    return given.atKey("it").getString("it");
  }
}
