package io.leasehold.rest.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/**
 * Formats responses as JSON: names in snake case, times as RFC 3339 in UTC, absent values omitted.
 */
public final class JsonBody {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .changeDefaultPropertyInclusion(
              inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_ABSENT))
          .build();

  private JsonBody() {}

  /** Writes a response in UTF-8. */
  public static byte[] bytes(Object answer) {
    return MAPPER.writeValueAsBytes(answer);
  }
}
