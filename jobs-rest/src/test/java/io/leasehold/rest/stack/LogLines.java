package io.leasehold.rest.stack;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** What the program logs during a test, at every level. */
public final class LogLines extends AppenderBase<ILoggingEvent>
    implements BeforeEachCallback, AfterEachCallback {

  private final Logger logger = (Logger) LoggerFactory.getLogger("io.leasehold.rest");
  private final Queue<ILoggingEvent> all = new ConcurrentLinkedQueue<>();

  @Override
  public void beforeEach(ExtensionContext context) {
    logger.setLevel(Level.TRACE);
    start();
    logger.addAppender(this);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    logger.detachAppender(this);
    logger.setLevel(null);
  }

  @Override
  protected void append(ILoggingEvent line) {
    line.prepareForDeferredProcessing();
    all.add(line);
  }

  /** All until now. */
  public List<ILoggingEvent> all() {
    return List.copyOf(all);
  }

  /** The lines that are logged by default: warnings and worse. */
  public List<ILoggingEvent> shown() {
    return all.stream().filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN)).toList();
  }
}
