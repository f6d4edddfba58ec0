package io.leasehold.engine.service.values;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.util.RawValue;

/**
 * The metadata of a job as stored: JSON values by name. Errors give the name and the type of a
 * value, and never the value itself. Immutable; safe to share.
 */
public final class Metadata {

  private static final Metadata NONE = new Metadata(Map.of());
  private static final int CHARACTERS_MAX = 1 << 16;
  private static final int DEPTH_MAX = 16;

  private final Map<String, JsonNode> values;
  private final Map<String, String> texts;

  private Metadata(Map<String, JsonNode> values) {
    this.values = values;
    Map<String, String> found = new HashMap<>();
    values.forEach(
        (name, value) -> {
          if (value.isString()) {
            found.put(name, value.stringValue());
          }
        });
    this.texts = Map.copyOf(found);
  }

  /**
   * Reads stored metadata.
   *
   * @throws JacksonException if the metadata is neither null nor an object
   */
  public static Metadata of(@Nullable JSON stored) {
    return stored == null ? NONE : new Metadata(Map.copyOf(Json.values(stored)));
  }

  /**
   * Writes values as metadata.
   *
   * @return null if there are none
   * @throws JobsException with {@link ErrorCode#VALUE_REFUSED} if a value cannot be written or is
   *     nested too deep, and {@link ErrorCode#TOO_LARGE} if all of them are too long
   */
  public static @Nullable JSON write(Map<String, Object> values) {
    if (values.isEmpty()) {
      return null;
    }
    Map<String, Object> written = new HashMap<>();
    values.forEach(
        (name, value) -> written.put(name, value instanceof String ? value : raw(name, value)));
    var json =
        written(
            written,
            _ ->
                new JobsException(
                    ErrorCode.VALUE_REFUSED, "a name of metadata has half a character"));
    // Java counts some characters as two; the database counts each as one.
    var length = json.data().codePointCount(0, json.data().length());
    if (length > CHARACTERS_MAX) {
      throw tooLarge(length);
    }
    return json;
  }

  private static RawValue raw(String name, Object value) {
    var json = written(value, _ -> refused(name, value));
    if (depth(name, value, json) >= DEPTH_MAX) { // The metadata object itself is the first level.
      throw new JobsException(
          ErrorCode.VALUE_REFUSED,
          "metadata must be nested at most %d deep, themselves included; '%s' is deeper"
              .formatted(DEPTH_MAX, shown(name)));
    }
    return new RawValue(json.data());
  }

  private static JSON written(Object value, Function<JobsException, JobsException> refused) {
    try {
      return Json.write("metadata", value, 2 * CHARACTERS_MAX);
    } catch (JobsException e) {
      throw e.limit().map(limit -> tooLarge(limit.seen())).orElseGet(() -> refused.apply(e));
    }
  }

  private static int depth(String name, Object value, JSON json) {
    try {
      return depth(Json.read(json, JsonNode.class));
    } catch (JacksonException e) { // The value wrote its own text, and that text is not valid JSON.
      throw refused(name, value);
    }
  }

  private static int depth(JsonNode node) {
    return node.isContainer()
        ? 1 + node.valueStream().mapToInt(Metadata::depth).max().orElse(0)
        : 0;
  }

  // The message of an exception from Jackson or from the value may contain the value's text.
  private static JobsException refused(String name, Object value) {
    return new JobsException(
        ErrorCode.VALUE_REFUSED,
        "metadata '%s', a %s, cannot be written as JSON"
            .formatted(shown(name), value.getClass().getName()));
  }

  private static JobsException tooLarge(long seen) {
    return new JobsException(
        ErrorCode.TOO_LARGE,
        "metadata must have at most %d characters as JSON, not %d or more"
            .formatted(CHARACTERS_MAX, seen),
        new JobsException.Limit(CHARACTERS_MAX, seen));
  }

  /** Returns the text values, by name. */
  public Map<String, String> texts() {
    return texts;
  }

  /** Returns all values, by name. */
  public Map<String, JsonNode> values() {
    return values;
  }

  /**
   * Reads one value.
   *
   * @return empty if there is no value with this name, or if the value is null
   * @throws JobsException with {@link ErrorCode#RESULT_UNREADABLE} if the value is not of this type
   */
  public <T> Optional<T> value(String name, Class<T> type) {
    var value = values.get(name);
    if (value == null || value.isNull()) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(Json.read(value, type));
    } catch (JacksonException e) {
      throw new JobsException(
          ErrorCode.RESULT_UNREADABLE,
          "metadata '%s' cannot be read as %s".formatted(shown(name), type.getName()));
    }
  }

  private static String shown(String name) {
    return name.replaceAll("\\p{Cntrl}", "?");
  }
}
