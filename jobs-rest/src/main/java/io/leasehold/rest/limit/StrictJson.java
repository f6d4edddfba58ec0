package io.leasehold.rest.limit;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Parses untrusted JSON: every dimension limited, UTF-8 only, no duplicate names. */
public final class StrictJson {

  private static final int DEPTH_MOST = 64;
  private static final int NUMBER_MOST = 100;
  private static final int NAME_MOST = 1_000;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEPTH_MOST)
                          .maxNumberLength(NUMBER_MOST)
                          .maxNameLength(NAME_MOST)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private StrictJson() {}

  /** Parses an object; empty if the input is not an object, not well-formed, or too large. */
  public static Optional<JsonNode> object(byte[] utf8) {
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8));
      return Optional.of(MAPPER.readTree(text.toString())).filter(JsonNode::isObject);
    } catch (CharacterCodingException | JacksonException e) {
      return Optional.empty();
    }
  }
}
