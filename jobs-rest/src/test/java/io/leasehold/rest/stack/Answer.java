package io.leasehold.rest.stack;

import java.net.http.HttpHeaders;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a server answered.
 *
 * @param status of it
 * @param headers all of them
 * @param body all of it
 */
public record Answer(int status, HttpHeaders headers, String body) {

  private static final JsonMapper MAPPER = new JsonMapper();

  /** A header that there has to be. */
  public String header(String name) {
    return headers
        .firstValue(name)
        .orElseThrow(() -> new AssertionError("no " + name + ": " + this));
  }

  /** The body as JSON. */
  public JsonNode json() {
    return MAPPER.readTree(body);
  }

  /** A word in the body. */
  public String word(String name) {
    return json().path(name).asString("");
  }

  /** The last part of a problem's type. */
  public String problem() {
    return word("type").replace("urn:leasehold:problem:", "");
  }
}
