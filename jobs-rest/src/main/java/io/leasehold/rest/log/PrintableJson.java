package io.leasehold.rest.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;

/**
 * Writes a JSON object on its own line, without any character that a line reader could take for a
 * line break, or a terminal for a command.
 */
public final class PrintableJson extends JsonEncoder {

  @Override
  public byte[] encode(ILoggingEvent event) {
    var line = new String(super.encode(event), UTF_8);
    return (EscapedControls.of(line.stripTrailing()) + "\n").getBytes(UTF_8);
  }
}
