package io.leasehold.rest.http;

import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonSerializable;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.jsontype.TypeSerializer;

/**
 * JSON that is sent exactly as it was stored: no number is rounded on the way.
 *
 * @param text the JSON without line breaks
 */
@JsonDeserialize(using = StoredJson.Reading.class)
public record StoredJson(String text) implements JacksonSerializable {

  /** Line breaks in JSON occur only between tokens, never within them. */
  public static StoredJson of(String json) {
    return new StoredJson(json.replace('\n', ' ').replace('\r', ' '));
  }

  @Override
  public void serialize(JsonGenerator out, SerializationContext context) {
    out.writeRawValue(text);
  }

  @Override
  public void serializeWithType(
      JsonGenerator out, SerializationContext context, TypeSerializer type) {
    serialize(out, context);
  }

  /** Copies the input. */
  static final class Reading extends StdDeserializer<StoredJson> {

    Reading() {
      super(StoredJson.class);
    }

    @Override
    public StoredJson deserialize(JsonParser in, DeserializationContext context) {
      var text = new StringWriter();
      try (var out =
          context.tokenStreamFactory().createGenerator(ObjectWriteContext.empty(), text)) {
        out.copyCurrentStructureExact(in);
      }
      return new StoredJson(text.toString());
    }
  }
}
