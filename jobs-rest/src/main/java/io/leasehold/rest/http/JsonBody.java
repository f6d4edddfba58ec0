package io.leasehold.rest.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Answers as JSON: names in snake case, times as RFC 3339 in UTC, what is not there left out. */
public final class JsonBody {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .changeDefaultPropertyInclusion(
              its -> its.withValueInclusion(JsonInclude.Include.NON_ABSENT))
          .build();

  private JsonBody() {}

  /** Writes an answer, in UTF-8. */
  public static byte[] bytes(Object answer) {
    return MAPPER.writeValueAsBytes(answer);
  }
}
