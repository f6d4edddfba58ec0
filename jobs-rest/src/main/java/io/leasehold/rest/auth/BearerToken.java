package io.leasehold.rest.auth;

import io.leasehold.rest.limit.StrictJson;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.Refusal;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A token as it came, of which nothing is known to be true yet.
 *
 * @param compact the whole of it
 * @param header what it says of itself
 * @param claims what it says of the caller
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
   * @throws Refusal if there is not exactly one, or it has another form than header, claims and
   *     signature: encrypted, without a signature, nested
   */
  static BearerToken in(List<String> headers, int most) {
    if (headers.size() != 1 || headers.getFirst().length() > most + "Bearer ".length()) {
      throw untrusted();
    }
    var parts = CREDENTIALS.matcher(headers.getFirst());
    if (!parts.matches()) {
      throw untrusted();
    }
    return new BearerToken(
        headers.getFirst().substring(parts.start(1)), json(parts.group(1)), json(parts.group(2)));
  }

  /** The answer to every token that is not valid, whatever is wrong with it. */
  static Refusal untrusted() {
    return Refusal.of(Problem.UNAUTHENTICATED);
  }

  private static JsonNode json(String part) {
    try {
      return StrictJson.object(Base64.getUrlDecoder().decode(part))
          .orElseThrow(BearerToken::untrusted);
    } catch (IllegalArgumentException e) {
      throw untrusted();
    }
  }

  /** A word of the header or the claims. */
  static String word(JsonNode object, String name) {
    var value = object.get(name);
    if (value == null || !value.isString()) {
      throw untrusted();
    }
    return value.stringValue();
  }
}
