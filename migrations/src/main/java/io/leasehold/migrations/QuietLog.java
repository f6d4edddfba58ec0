package io.leasehold.migrations;

import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends all of Flyway's messages to the trace level. The run's one log line, or the exception,
 * contains everything that a user has to know. Flyway creates this class by name.
 */
public final class QuietLog implements LogCreator {

  @Override
  public Log createLogger(Class<?> of) {
    return new Debugged(LoggerFactory.getLogger(of));
  }

  private record Debugged(Logger log) implements Log {

    @Override
    public void debug(String message) {
      log.trace(message);
    }

    @Override
    public void info(String message) {
      log.trace(message);
    }

    @Override
    public void warn(String message) {
      log.trace(message);
    }

    @Override
    public void error(String message) {
      log.trace(message);
    }

    @Override
    public void error(String message, Exception e) {
      log.trace(message, e);
    }

    @Override
    public void notice(String message) {
      log.trace(message);
    }
  }
}
