package io.leasehold.engine;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** What Leasehold logs during a test, at every level. */
public final class LogLines extends AppenderBase<ILoggingEvent>
    implements BeforeEachCallback, AfterEachCallback {

  private final Logger logger = (Logger) LoggerFactory.getLogger("io.leasehold");
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
  public Stream<ILoggingEvent> all() {
    return all.stream();
  }

  /** Everything that a line says, where it was said, and what was thrown. */
  public static String text(ILoggingEvent line) {
    var thrown = line.getThrowableProxy();
    return line.getFormattedMessage()
        + line.getKeyValuePairs()
        + line.getMDCPropertyMap()
        + (thrown == null ? "" : ThrowableProxyUtil.asString(thrown));
  }
}
