package io.leasehold.migrations;

import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flyway's messages, all for tracing: what a user has to know is in the run's one line, or in the
 * exception. Flyway makes it by its name.
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
