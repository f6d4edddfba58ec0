package io.leasehold.engine.service.values;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.util.Map;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** Inputs, outputs and metadata as JSON. Safe to share between threads. */
public final class Json {

  private static final int CHARACTERS_MAX = 1 << 20;

  /** Its read limits equal the write limit, so every text that can be written can also be read. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNumberLength(CHARACTERS_MAX)
                          .maxNameLength(CHARACTERS_MAX)
                          .build())
                  .build())
          .build();

  /** For values that are first read as a tree: numbers keep all their digits. */
  private static final JsonMapper EXACT =
      MAPPER
          .rebuild()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private static final TypeReference<Map<String, JsonNode>> VALUES = new TypeReference<>() {};

  private Json() {}

  /**
   * Writes a value.
   *
   * @param what the value, as the error calls it
   * @throws JobsException with {@link ErrorCode#VALUE_REFUSED} if it cannot be written, and {@link
   *     ErrorCode#TOO_LARGE} if it is longer than 1,048,576 characters
   */
  public static JSON write(String what, @Nullable Object value) {
    return write(what, value, CHARACTERS_MAX);
  }

  /**
   * Writes a value of up to {@code most} characters. Writing stops as soon as the value is longer.
   *
   * @throws JobsException like {@link #write(String, Object)}
   */
  public static JSON write(String what, @Nullable Object value, int most) {
    var text = new BoundedText(most);
    try {
      MAPPER.writeValue(text, value);
    } catch (JacksonException e) {
      if (text.isTooLong()) {
        throw tooLarge(what, most, text.seen());
      }
      throw new JobsException(
          ErrorCode.VALUE_REFUSED, "%s cannot be written as JSON".formatted(what), e);
    }
    var json = text.asJson();
    if (json.length() > most) { // With escapes, since the database counts them.
      throw tooLarge(what, most, json.length());
    }
    if (json.length() > text.seen()) {
      requireReadable(what, json);
    }
    return JSON.valueOf(json);
  }

  // An unpaired surrogate can be read back from a value, but not from a name.
  private static void requireReadable(String what, String json) {
    try {
      MAPPER.readTree(json);
    } catch (JacksonException e) {
      throw new JobsException(
          ErrorCode.VALUE_REFUSED, "%s has half a character in a name".formatted(what), e);
    }
  }

  private static JobsException tooLarge(String what, int most, long seen) {
    return new JobsException(
        ErrorCode.TOO_LARGE,
        "%s must have at most %d characters as JSON, not %d or more".formatted(what, most, seen),
        new JobsException.Limit(most, seen));
  }

  /**
   * Reads a stored value.
   *
   * @throws JacksonException if the value has another type
   */
  public static <T> T read(JSON json, Class<T> type) {
    return MAPPER.readValue(json.data(), type);
  }

  /** Reads a part of a stored value. */
  static <T> T read(JsonNode part, Class<T> type) {
    return MAPPER.treeToValue(part.deepCopy(), type);
  }

  /** Reads the members of an object, by name. */
  static Map<String, JsonNode> values(JSON json) {
    Map<String, JsonNode> values = EXACT.readValue(json.data(), VALUES);
    return values == null ? Map.of() : values;
  }
}
