package io.leasehold.rest.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailuresTest {

  /** As the server does while it stops. */
  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void refusalsHaveARetryAfter(int status) {
    var refusal = Failures.ofStatus(status);

    assertThat(refusal.problem().status()).isEqualTo(status);
    assertThat(refusal.retryAfter()).isPresent();
  }

  /** A database that does not do its work is no fault of the request, and none of the service. */
  @ParameterizedTest
  @EnumSource(
      names = {
        "POOL_EXHAUSTED",
        "DATABASE_UNREACHABLE",
        "DATABASE_FULL",
        "DATABASE_READ_ONLY",
        "DATABASE_DEGRADED",
        "OUTCOME_UNKNOWN",
        "STATEMENT_CANCELLED",
        "TRANSACTION_TIMEOUT"
      })
  void databaseErrorsAreAnsweredAsUnavailable(ErrorCode code) {
    var refusal = Failures.judge(new JobsException(code, "x"));

    assertThat(refusal.problem()).isEqualTo(Problem.UNAVAILABLE);
    assertThat(refusal.retryAfter()).isPresent();
  }

  @Test
  void unknownStatusIsAMalformedRequest() {
    assertThat(Failures.ofStatus(505).problem()).isEqualTo(Problem.MALFORMED_REQUEST);
    assertThat(Failures.ofStatus(404).retryAfter()).isEmpty();
  }
}
