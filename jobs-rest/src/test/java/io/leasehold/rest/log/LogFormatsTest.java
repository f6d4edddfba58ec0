package io.leasehold.rest.log;

import static io.leasehold.rest.log.LogFormatsTest.Format.JSON;
import static io.leasehold.rest.log.LogFormatsTest.Format.TEXT;
import static io.leasehold.rest.log.LogFormatsTest.Part.ARGUMENT;
import static io.leasehold.rest.log.LogFormatsTest.Part.CAUSE;
import static io.leasehold.rest.log.LogFormatsTest.Part.EXCEPTION;
import static io.leasehold.rest.log.LogFormatsTest.Part.KEY;
import static io.leasehold.rest.log.LogFormatsTest.Part.MESSAGE;
import static io.leasehold.rest.log.LogFormatsTest.Part.SUPPRESSED;
import static io.leasehold.rest.log.LogFormatsTest.Part.THREAD;
import static io.leasehold.rest.log.LogFormatsTest.Part.VALUE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import java.io.ByteArrayInputStream;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.event.KeyValuePair;
import tools.jackson.databind.json.JsonMapper;

/** The log formats of the program, given what a caller may send and a handler may throw. */
class LogFormatsTest {

  /** What a terminal obeys, what begins a line, and what shows text in another order. */
  private static final String HOSTILE =
      "x\"\r\n2026-11-19 10:00:00.000 ERROR [main] FORGED"
          + "\u001b[31m\u0007\0\u007f\u0085\u009b31m\u2028\u2029\u202e\u2066\u200f\ufeff\t";

  private static final Pattern UNSAFE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  private static final Set<Part> FAILURES = Set.of(EXCEPTION, CAUSE, SUPPRESSED);

  private final LoggerContext context = new LoggerContext();

  enum Format {
    TEXT,
    JSON;

    String resource() {
      return "io/leasehold/rest/log-%s.xml".formatted(name().toLowerCase(Locale.ROOT));
    }
  }

  /** A part of a log line whose text comes from outside, such as a caller or a handler. */
  enum Part {
    MESSAGE,
    ARGUMENT,
    KEY,
    VALUE,
    THREAD,
    EXCEPTION,
    CAUSE,
    SUPPRESSED
  }

  private String written(Format format, Part... parts) throws JoranException {
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(
        new ByteArrayInputStream(
            """
            <configuration>
              <include resource="%s"/>
              <root level="trace"><appender-ref ref="console"/></root>
            </configuration>
            """
                .formatted(format.resource())
                .getBytes(UTF_8)));
    assertThat(context.getStatusManager().getCopyOfStatusList())
        .allMatch(status -> status.getLevel() < Status.WARN);
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    var appender = (OutputStreamAppender<ILoggingEvent>) root.getAppender("console");
    return new String(appender.getEncoder().encode(event(Set.of(parts))), UTF_8);
  }

  private ILoggingEvent event(Set<Part> hostile) {
    var event = new LoggingEvent();
    event.setLoggerContext(context);
    event.setLoggerName("io.leasehold.Some");
    event.setLevel(Level.WARN);
    event.setTimeStamp(0);
    event.setThreadName(hostile.contains(THREAD) ? HOSTILE : "main");
    event.setMessage(hostile.contains(MESSAGE) ? HOSTILE : "said {}");
    event.setArgumentArray(new Object[] {hostile.contains(ARGUMENT) ? HOSTILE : "a word"});
    var key = hostile.contains(KEY) ? HOSTILE : "correlation";
    var value = hostile.contains(VALUE) ? HOSTILE : "a value";
    event.setMDCPropertyMap(Map.of(key, value));
    event.addKeyValuePair(new KeyValuePair(key, value));
    failure(hostile).ifPresent(it -> event.setThrowableProxy(new ThrowableProxy(it)));
    return event;
  }

  private static Optional<Throwable> failure(Set<Part> hostile) {
    if (Collections.disjoint(hostile, FAILURES)) {
      return Optional.empty();
    }
    var message = hostile.contains(EXCEPTION) ? HOSTILE : "x";
    var cause = new Exception(hostile.contains(CAUSE) ? HOSTILE : "y");
    var failure = new IllegalStateException(message, cause);
    failure.addSuppressed(new Exception(hostile.contains(SUPPRESSED) ? HOSTILE : "z"));
    return Optional.of(failure);
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void textHasNoLineBreakOrControlFromAPart(Part part) throws JoranException {
    var text = written(TEXT, part);

    assertThat(text).contains("FORGED").contains("\\r\\n2026").contains("\\u001b[31m");
    assertThat(text.lines())
        .noneMatch(line -> line.startsWith("2026"))
        .noneMatch(line -> UNSAFE.matcher(line.stripLeading()).find());
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void jsonIsOneLineOfPrintableCharacters(Part part) throws JoranException {
    var text = written(JSON, part);

    assertThat(text).endsWith("\n").contains("FORGED");
    assertThat(UNSAFE.matcher(text.strip()).find()).isFalse();
    assertThat(new JsonMapper().readTree(text).isObject()).isTrue();
  }

  @Test
  void jsonKeepsTheText() throws JoranException {
    var json = new JsonMapper().readTree(written(JSON, VALUE, EXCEPTION));

    assertThat(json.path("mdc").path("correlation").asString()).isEqualTo(HOSTILE);
    assertThat(json.path("throwable").path("message").asString()).isEqualTo(HOSTILE);
  }

  @Test
  void textKeepsOrdinaryCharacters() throws JoranException {
    var text = written(TEXT);

    assertThat(text)
        .endsWith(
            " WARN [main] io.leasehold.Some: said a word"
                + " correlation=a value correlation=\"a value\" \n");
  }

  @Test
  void textHasTheTraceOfAFailureLineByLine() throws JoranException {
    var text = written(TEXT, CAUSE);

    assertThat(text)
        .contains("\njava.lang.IllegalStateException: x\n\tat io.leasehold")
        .contains("\nCaused by: java.lang.Exception: x\"\\r\\n2026");
  }
}
