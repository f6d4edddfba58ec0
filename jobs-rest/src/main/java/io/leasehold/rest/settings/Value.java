package io.leasehold.rest.settings;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;

/**
 * A value that somebody gave, and where.
 *
 * @param given text, or from a file also a list or an object
 * @param name by what it was given: an option, an environment variable, or a key
 * @param where more of that, for people
 * @param asText whether it can be nothing but text, as an option or a variable
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
   * What is a single word or number in the file, as it is written there.
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
