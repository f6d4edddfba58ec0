package io.leasehold.engine.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.leasehold.engine.LogLines;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** What is logged of a chore that fails again and again. */
class PeriodicTaskLogTest {

  @RegisterExtension final LogLines lines = new LogLines();

  private final AtomicLong clock = new AtomicLong(-5);
  private final PeriodicTaskLog log =
      new PeriodicTaskLog(LoggerFactory.getLogger(PeriodicTaskLog.class), "the chore", clock::get);

  private void passes(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  private void fails() {
    log.failed(
        new JobsException(
            ErrorCode.DATABASE_READ_ONLY, "database_read_only: ERROR: no writes\n  SELECT 1"));
  }

  private List<String> logged() {
    return lines.all().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void theFirstFailureIsLoggedWithoutMoreThanItsFirstLine() {
    fails();

    assertThat(logged())
        .containsExactly(
            "the chore failed, and is retried: database_read_only: ERROR: no writes"
                + " (DATABASE_READ_ONLY)");
  }

  @Test
  void furtherFailuresAreCountedAndLoggedOncePerInterval() {
    for (var i = 0; i < 61; i++) {
      fails();
      passes(Duration.ofSeconds(1));
    }

    assertThat(logged())
        .hasSize(3)
        .element(1)
        .asString()
        .startsWith("the chore failed 31 times in 30 s, and is retried: ");
    assertThat(logged().getLast()).startsWith("the chore failed 61 times in 60 s");
  }

  @Test
  void theRecoveryIsLoggedOnce() {
    fails();
    passes(Duration.ofSeconds(2));
    fails();
    log.succeeded();
    log.succeeded();

    assertThat(logged())
        .hasSize(2)
        .last()
        .isEqualTo("the chore works again, after 2 failures in 2 s");
  }

  @Test
  void aTaskThatFailsNowAndThenIsLoggedOncePerInterval() {
    for (var i = 0; i < 29; i++) {
      fails();
      log.succeeded();
      passes(Duration.ofSeconds(1));
    }
    assertThat(logged()).hasSize(2);

    passes(Duration.ofSeconds(1));
    fails();

    assertThat(logged()).hasSize(3);
  }

  @Test
  void anInterruptIsNotLoggedAsAFailure() {
    log.failed(new JobsException(ErrorCode.INTERRUPTED, "interrupted"));

    assertThat(logged()).isEmpty();
  }

  @Test
  void anErrorIsLoggedWithItsStackTrace() {
    log.failed(new IllegalStateException("a mistake"));

    assertThat(lines.all())
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.getFormattedMessage()).isEqualTo("the chore failed, and is retried");
              assertThat(line.getThrowableProxy().getMessage()).isEqualTo("a mistake");
            });
  }
}
