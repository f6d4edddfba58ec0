package io.leasehold.rest.settings;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A list of objects, each with its own settings; where only text is possible, it is written as in a
 * file.
 *
 * @param blank an object without any settings
 * @param parts the settings of an object
 * @param made builds the object from its settings; throws an {@link IllegalArgumentException} if
 *     one is missing
 * @param <D> the object's draft
 * @param <T> the object
 */
public record ListOf<D, T>(D blank, List<Setting<D, ?>> parts, Function<D, T> made)
    implements Kind<List<T>> {

  public ListOf {
    parts = List.copyOf(parts);
  }

  @Override
  public List<T> read(Value value) {
    var objects = new ArrayList<T>();
    var problems = new ArrayList<String>();
    for (var given : list(value)) {
      try {
        objects.add(object(given));
      } catch (WrongSettings e) {
        e.problems().forEach(it -> problems.add(placed(value, objects.size(), it)));
      } catch (IllegalArgumentException e) {
        problems.add(placed(value, objects.size(), String.valueOf(e.getMessage())));
      }
    }
    if (!problems.isEmpty()) {
      throw new WrongSettings(problems);
    }
    return List.copyOf(objects);
  }

  private static String placed(Value value, int place, String problem) {
    return "%s, at %d: %s".formatted(value.name(), place + 1, problem);
  }

  private T object(ConfigValue given) {
    if (!(given instanceof ConfigObject object)) {
      throw new IllegalArgumentException("must be an object, as in { name = value }");
    }
    var settings = new Settings(new Sources(Map.of(), Map.of(), object.toConfig()), Set.of());
    var read = settings.applied(blank, parts);
    settings.requireRight();
    return made.apply(read);
  }

  private static ConfigList list(Value value) {
    var given = value.asText() ? parsed(value.text()) : value.given();
    if (given instanceof ConfigList list) {
      return list;
    }
    throw new IllegalArgumentException("must be a list of objects, as in [{ name = value }]");
  }

  private static ConfigValue parsed(String text) {
    try {
      return ConfigFactory.parseString("it = " + text).resolve().getValue("it");
    } catch (ConfigException e) {
      throw new IllegalArgumentException(
          "must be a list of objects, as in [{ name = value }]: " + e.getMessage(), e);
    }
  }
}
