package io.leasehold.engine.submit;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.util.Map;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Inputs, outputs and metadata as JSON. Safe to share between threads. */
public final class Json {

  private static final int CHARACTERS_MAX = 1 << 20;
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final TypeReference<Map<String, String>> WORDS = new TypeReference<>() {};

  private Json() {}

  /**
   * Writes a value.
   *
   * @param what the value, as the error calls it
   * @throws JobsException if it cannot be written, or is longer than 1,048,576 characters
   */
  public static JSON write(String what, @Nullable Object value) {
    var text = text(what, value);
    if (text.length() > CHARACTERS_MAX) {
      throw new JobsException(
          ErrorCode.VALUE_REFUSED,
          "%s must have at most %d characters as JSON, not %d"
              .formatted(what, CHARACTERS_MAX, text.length()));
    }
    return JSON.valueOf(text);
  }

  /**
   * Writes a value of at most so many characters.
   *
   * @param what the value, as the error calls it
   * @throws JobsException if it cannot be written, or with {@link ErrorCode#TOO_LARGE}
   */
  public static JSON write(String what, @Nullable Object value, int most) {
    var text = text(what, value);
    if (text.length() > most) {
      throw new JobsException(
          ErrorCode.TOO_LARGE,
          "%s must have at most %d characters as JSON, not %d".formatted(what, most, text.length()),
          new JobsException.Limit(most, text.length()));
    }
    return JSON.valueOf(text);
  }

  private static String text(String what, @Nullable Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JacksonException e) {
      throw new JobsException(
          ErrorCode.VALUE_REFUSED, "%s cannot be written as JSON".formatted(what), e);
    }
  }

  /**
   * Reads what was written.
   *
   * @throws JacksonException if it is something else
   */
  public static <T> T read(JSON json, Class<T> type) {
    return MAPPER.readValue(json.data(), type);
  }

  /** Reads metadata. */
  public static Map<String, String> words(@Nullable JSON json) {
    return json == null ? Map.of() : Map.copyOf(MAPPER.readValue(json.data(), WORDS));
  }
}
