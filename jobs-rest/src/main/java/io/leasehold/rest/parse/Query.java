package io.leasehold.rest.parse;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The query parameters of a request: each known, given once, and well-formed. */
public final class Query {

  private static final String WELL_FORMED = "it must be percent-encoded UTF-8 without controls";
  private static final Pattern ENCODED = Pattern.compile("([!-$&-~]|%[0-9A-Fa-f]{2})*+");
  private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,8}");

  private final Map<String, String> values;

  private Query(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Parses the query of a URL.
   *
   * @throws RequestRefusal if it contains anything that is not accepted
   */
  public static Query of(@Nullable String query, Set<String> known) {
    var values = new HashMap<String, String>();
    if (query != null && !query.isEmpty()) {
      for (var part : query.split("&", -1)) {
        var equals = part.indexOf('=');
        var name = decoded(equals < 0 ? part : part.substring(0, equals));
        if (!known.contains(name)) {
          throw unknown(name, known);
        }
        if (values.put(name, value(name, part, equals)) != null) {
          throw refused(name + " is given more than once");
        }
      }
    }
    return new Query(values);
  }

  private static RequestRefusal unknown(String name, Set<String> known) {
    var names = String.join(", ", new TreeSet<>(known));
    var allowed = known.isEmpty() ? "none is allowed" : "allowed are " + names;
    return refused("the parameter '%s' is unknown: %s".formatted(QuotedName.of(name), allowed));
  }

  private static String value(String name, String part, int equals) {
    try {
      return decoded(equals < 0 ? "" : part.substring(equals + 1));
    } catch (RequestRefusal _) {
      throw refused(name + " is not well-formed: " + WELL_FORMED);
    }
  }

  /** Creates a refusal of a parameter, with a constant sentence that names it. */
  public static RequestRefusal refused(String detail) {
    return RequestRefusal.of(Problem.PARAMETER_REFUSED, detail);
  }

  /** Returns a parameter as text. */
  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /**
   * Returns a parameter, converted to another type.
   *
   * @param read throws {@link IllegalArgumentException} if the value is invalid
   * @param rule what the value must be, as a sentence
   */
  public <T> Optional<T> read(String name, Function<String, T> read, String rule) {
    var text = text(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(read.apply(text.get()));
    } catch (IllegalArgumentException e) {
      throw refused(rule);
    }
  }

  /** Returns a boolean parameter; false if it is absent. */
  public boolean flag(String name) {
    return read(name, Query::flagOf, name + " must be true or false").orElse(false);
  }

  /** Returns a number parameter between {@code least} and {@code most}. */
  public Optional<Integer> number(String name, int least, int most) {
    var rule = "%s must be %d to %d".formatted(name, least, most);
    var number = read(name, Query::numberOf, rule);
    if (number.filter(it -> it < least || it > most).isPresent()) {
      throw refused(rule);
    }
    return number;
  }

  /**
   * Only one spelling is accepted: Java also accepts signs, leading zeros and digits of other
   * scripts.
   */
  private static Integer numberOf(String text) {
    if (!NUMBER.matcher(text).matches()) {
      throw new IllegalArgumentException("it is none");
    }
    return Integer.valueOf(text);
  }

  private static Boolean flagOf(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("it is neither");
    };
  }

  private static String decoded(String text) {
    if (!ENCODED.matcher(text).matches()) {
      throw malformed();
    }
    try {
      // One character per byte, because the decoders of Jetty and the JDK accept malformed UTF-8.
      var bytes = URLDecoder.decode(text, ISO_8859_1).getBytes(ISO_8859_1);
      var decoded = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (decoded.chars().anyMatch(Character::isISOControl)) {
        throw malformed();
      }
      return decoded;
    } catch (CharacterCodingException e) {
      throw malformed();
    }
  }

  private static RequestRefusal malformed() {
    return refused("the name of a parameter is not well-formed: " + WELL_FORMED);
  }
}
