package io.leasehold.rest.problem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailuresTest {

  /** As the server does while it stops. */
  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void tellWhenToComeAgainWhoeverRefuses(int status) {
    var refusal = Failures.ofStatus(status);

    assertThat(refusal.problem().status()).isEqualTo(status);
    assertThat(refusal.retryAfter()).isPresent();
  }

  @Test
  void areTheClientsWhereNothingElseIsKnown() {
    assertThat(Failures.ofStatus(505).problem()).isEqualTo(Problem.MALFORMED_REQUEST);
    assertThat(Failures.ofStatus(404).retryAfter()).isEmpty();
  }
}
