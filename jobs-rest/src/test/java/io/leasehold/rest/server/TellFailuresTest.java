package io.leasehold.rest.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.rest.problem.Failures;
import io.leasehold.rest.stack.LogLines;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TellFailuresTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  @RegisterExtension final LogLines lines = new LogLines();

  @Test
  void countsRejectedTokensAndLogsEachKindOnce() {
    try (var stack = RestStack.on(database)) {
      var token = stack.issuer().token(RestStack.ACME);
      var tampered = token.substring(0, token.length() - 8) + "AAAAAAAA";
      for (var i = 0; i < 5; i++) {
        assertThat(stack.client().get("/api/v1/jobs").status()).isEqualTo(401);
        assertThat(stack.client().token(tampered).get("/api/v1/jobs").status()).isEqualTo(401);
      }

      var counted = stack.meters().get("leasehold.http.unauthenticated");
      assertThat(counted.tag("reason", "no_token").counter().count()).isEqualTo(5);
      assertThat(
              stack
                  .meters()
                  .get("leasehold.http.unauthenticated")
                  .tag("reason", "signature")
                  .counter()
                  .count())
          .isEqualTo(5);
      assertThat(shown())
          .containsExactly(
              "a request was rejected for its token: no_token (0 more since the last such line)",
              "a request was rejected for its token: signature (0 more since the last such line)");
      assertThat(lines.shown()).allMatch(line -> line.getMDCPropertyMap().containsKey("trace"));
      assertThat(lines.all())
          .noneMatch(line -> line.getFormattedMessage().contains(token.substring(0, 20)));
    }
  }

  @Test
  void logsAnOutageOnceWithoutAStackTrace() {
    var failures = new TellFailures(new SimpleMeterRegistry());

    for (var i = 0; i < 100; i++) {
      fail(failures, ErrorCode.DATABASE_UNREACHABLE);
    }
    fail(failures, ErrorCode.POOL_EXHAUSTED);

    assertThat(shown())
        .containsExactly(
            "requests cannot be answered: DATABASE_UNREACHABLE"
                + " (0 more since the last such line)",
            "requests cannot be answered: POOL_EXHAUSTED" + " (0 more since the last such line)");
    assertThat(lines.shown()).allMatch(line -> line.getThrowableProxy() == null);
  }

  @Test
  void logsEachInternalErrorWithAStackTrace() {
    var failures = new TellFailures(new SimpleMeterRegistry());

    fail(failures, ErrorCode.STATEMENT_FAILED);
    fail(failures, ErrorCode.STATEMENT_FAILED);

    assertThat(shown()).containsExactly("a request failed", "a request failed");
    assertThat(lines.shown()).allMatch(line -> line.getThrowableProxy() != null);
  }

  private static void fail(TellFailures failures, ErrorCode code) {
    var failure = new JobsException(code, "it is so");
    failures.tell(Failures.judge(failure), failure);
  }

  private List<String> shown() {
    return lines.shown().stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
