package io.leasehold.rest.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.pattern.CompositeConverter;

/** Writes what stands in its parentheses on one line, whatever it is. */
public final class OneLine extends CompositeConverter<ILoggingEvent> {

  @Override
  protected String transform(ILoggingEvent event, String text) {
    return EscapedControls.of(text);
  }
}
