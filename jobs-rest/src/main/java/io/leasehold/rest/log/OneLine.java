package io.leasehold.rest.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.pattern.CompositeConverter;

/** Writes the pattern in its parentheses on one line, whatever it contains. */
public final class OneLine extends CompositeConverter<ILoggingEvent> {

  @Override
  protected String transform(ILoggingEvent event, String text) {
    return EscapedControls.of(text);
  }
}
