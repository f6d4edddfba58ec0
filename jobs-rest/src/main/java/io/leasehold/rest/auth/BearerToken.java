package io.leasehold.rest.auth;

import io.leasehold.rest.limit.StrictJson;
import io.leasehold.rest.problem.RequestRefusal;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A token as received, of which nothing has been verified.
 *
 * @param compact the complete token
 * @param header its header
 * @param claims its claims about the caller
 */
record BearerToken(String compact, JsonNode header, JsonNode claims) {

  private static final Pattern CREDENTIALS =
      Pattern.compile(
          "bearer +([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]+)",
          Pattern.CASE_INSENSITIVE);

  /**
   * Reads the one token of a request.
   *
   * @param headers all values of the header {@code Authorization}
   * @param most how many characters it may have
   * @throws RequestRefusal if there is not exactly one, or it has another form than header, claims
   *     and signature: encrypted, unsigned, nested
   */
  static BearerToken in(List<String> headers, int most) {
    if (headers.size() != 1) {
      throw Distrust.NO_TOKEN.refusal();
    }
    if (headers.getFirst().length() > most + "Bearer ".length()) {
      throw Distrust.MALFORMED.refusal();
    }
    var parts = CREDENTIALS.matcher(headers.getFirst());
    if (!parts.matches()) {
      throw Distrust.MALFORMED.refusal();
    }
    return new BearerToken(
        headers.getFirst().substring(parts.start(1)), json(parts.group(1)), json(parts.group(2)));
  }

  private static JsonNode json(String part) {
    try {
      return StrictJson.object(Base64.getUrlDecoder().decode(part))
          .orElseThrow(Distrust.MALFORMED::refusal);
    } catch (IllegalArgumentException e) {
      throw Distrust.MALFORMED.refusal();
    }
  }

  /**
   * Returns a string of the header or the claims; refuses the token for the given reason if there
   * is none.
   */
  static String word(JsonNode object, String name, Distrust otherwise) {
    var value = object.get(name);
    if (value == null || !value.isString()) {
      throw otherwise.refusal();
    }
    return value.stringValue();
  }
}
