package io.leasehold.rest.settings;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The types of the settings' values. */
public final class Kinds {

  /** Any text. */
  public static final Kind<String> TEXT = Value::text;

  /** A whole number. */
  public static final Kind<Integer> NUMBER = value -> number(value.text());

  /**
   * A number of bytes: {@code 4096}, or with a unit of 1,024, {@code 64k}, {@code 20m}, {@code 1g}.
   */
  public static final Kind<Long> SIZE = value -> size(value.text());

  /** {@code on} or {@code off}; {@code true} and {@code false} are the same. */
  public static final Kind<Boolean> SWITCH = Kinds::onOrOff;

  /** A duration with its unit: {@code 250ms}, {@code 30s}, {@code 5m}, {@code 2h}, {@code 14d}. */
  public static final Kind<Duration> TIME = value -> DurationSettings.read(value.text());

  /** A file. */
  public static final Kind<Path> FILE = value -> path(value, "a file, as in ./its.file");

  /** A folder. */
  public static final Kind<Path> FOLDER = value -> path(value, "a folder, as in ./data");

  /** A URI. */
  public static final Kind<URI> ADDRESS = Kinds::address;

  /** Several words: a list in a file, elsewhere separated by commas. */
  public static final Kind<List<String>> WORDS = Kinds::words;

  /** Numbers by name: an object in a file, elsewhere {@code reports=5,mail=2}. */
  public static final Kind<Map<String, Integer>> NUMBERS = Kinds::numbers;

  private static final Pattern BYTES = Pattern.compile("([0-9]{1,15})([kmg]?)");
  private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");

  private Kinds() {}

  /**
   * A constant of an enumeration, with hyphens: {@code direct}. Capitals and underscores are
   * equivalent: {@code DIRECT}.
   */
  public static <E extends Enum<E>> Kind<E> oneOf(Class<E> type) {
    return value -> constant(type, value.text());
  }

  /** Several constants of an enumeration, written likewise. */
  public static <E extends Enum<E>> Kind<List<E>> anyOf(Class<E> type) {
    return value -> words(value).stream().map(word -> constant(type, word)).toList();
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String word) {
    return Stream.of(type.getEnumConstants())
        .filter(constant -> written(constant).equals(written(word)))
        .findFirst()
        .orElseThrow(() -> refused(allowed(type), word));
  }

  private static <E extends Enum<E>> String allowed(Class<E> type) {
    return Stream.of(type.getEnumConstants()).map(Kinds::written).collect(Collectors.joining(", "));
  }

  private static String written(Enum<?> constant) {
    return written(constant.name());
  }

  private static String written(String word) {
    return word.strip().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException e) {
      throw refused("a whole number", text, e);
    }
  }

  private static long size(String text) {
    var bytes = BYTES.matcher(text.strip());
    if (!bytes.matches()) {
      throw refused("a number of bytes, as in 4096, 64k, 20m or 1g", text);
    }
    var unit =
        switch (bytes.group(2)) {
          case "k" -> 10;
          case "m" -> 20;
          case "g" -> 30;
          default -> 0;
        };
    // A value that is too large stays too large instead of overflowing.
    return Math.min(Long.parseLong(bytes.group(1)), Long.MAX_VALUE >> unit) << unit;
  }

  private static boolean onOrOff(Value value) {
    var text = value.text();
    return switch (written(text)) {
      case "on", "true" -> true;
      case "off", "false" -> false;
      default -> throw refused("on or off", text);
    };
  }

  private static Path path(Value value, String allowed) {
    var text = value.text();
    if (text.isBlank()) {
      throw refused(allowed, text);
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw refused(allowed, text, e);
    }
  }

  private static URI address(Value value) {
    var text = value.text();
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw refused("an address, as in https://host/path", text, e);
    }
  }

  private static List<String> words(Value value) {
    if (value.given() instanceof ConfigList list) {
      return list.stream().map(it -> Value.inFile(it, value.name()).text()).toList();
    }
    return Arrays.stream(COMMA.split(value.text().strip(), -1))
        .filter(it -> !it.isEmpty())
        .toList();
  }

  private static Map<String, Integer> numbers(Value value) {
    var numbers = new LinkedHashMap<String, Integer>();
    if (value.given() instanceof ConfigObject object) {
      object.forEach(
          (name, it) -> numbers.put(name, number(Value.inFile(it, value.name()).text())));
      return numbers;
    }
    for (var pair : words(value)) {
      var parts = pair.split("\\s*=\\s*", 2);
      if (parts.length < 2) {
        throw refused("names with numbers, as in reports=5,mail=2", pair);
      }
      numbers.put(parts[0], number(parts[1]));
    }
    return numbers;
  }

  static IllegalArgumentException refused(String allowed, String seen) {
    return new IllegalArgumentException("must be %s, not '%s'".formatted(allowed, seen));
  }

  private static IllegalArgumentException refused(String allowed, String seen, Exception cause) {
    return new IllegalArgumentException("must be %s, not '%s'".formatted(allowed, seen), cause);
  }
}
