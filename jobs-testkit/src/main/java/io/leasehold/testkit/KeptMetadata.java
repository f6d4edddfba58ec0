package io.leasehold.testkit;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Metadata as the engine writes and reads them: each value as JSON, by name. */
final class KeptMetadata {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private KeptMetadata() {}

  static String written(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  /** Returns the JSON of each value of an object. */
  static Map<String, String> of(String object) {
    Map<String, String> values = new LinkedHashMap<>();
    MAPPER
        .readTree(object)
        .forEachEntry((name, value) -> values.put(name, MAPPER.writeValueAsString(value)));
    return values;
  }

  static Map<String, String> texts(Map<String, String> values) {
    Map<String, String> texts = new LinkedHashMap<>();
    values.forEach(
        (name, json) -> {
          var value = MAPPER.readTree(json);
          if (value.isString()) {
            texts.put(name, value.stringValue());
          }
        });
    return Map.copyOf(texts);
  }

  static <T> Optional<T> value(Map<String, String> values, String name, Class<T> type) {
    try {
      return Optional.ofNullable(values.get(name))
          .filter(json -> !MAPPER.readValue(json, JsonNode.class).isNull())
          .map(json -> MAPPER.readValue(json, type));
    } catch (JacksonException e) {
      throw new JobsException(
          ErrorCode.RESULT_UNREADABLE,
          "metadata '%s' cannot be read as %s".formatted(name, type.getName()));
    }
  }
}
