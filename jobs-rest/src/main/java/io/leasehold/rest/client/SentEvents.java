package io.leasehold.rest.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads server-sent events from a stream. */
final class SentEvents {

  private final BufferedReader lines;
  private String id = "";

  SentEvents(InputStream stream) {
    this.lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
  }

  /**
   * Returns the next event; empty at the end of the stream. An incomplete event at the end is
   * dropped.
   */
  Optional<ReceivedEvent> next() throws IOException {
    var name = "message";
    var text = new StringBuilder();
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty()) {
        if (!text.isEmpty()) {
          return Optional.of(new ReceivedEvent(id, name, text.substring(0, text.length() - 1)));
        }
        name = "message";
        continue;
      }
      var colon = line.indexOf(':');
      var field = colon < 0 ? line : line.substring(0, colon);
      var value = colon < 0 ? "" : line.substring(colon + 1).replaceFirst("^ ", "");
      switch (field) {
        case "id" -> id = value;
        case "event" -> name = value;
        case "data" -> text.append(value).append('\n');
        default -> {} // A keep-alive, or a field that this client does not know.
      }
    }
    return Optional.empty();
  }
}
