package io.leasehold.rest.limit;

import static io.leasehold.rest.stack.RestStack.ACME;
import static io.leasehold.rest.stack.RestStack.GLOBEX;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.rest.stack.RestStack;
import io.leasehold.testkit.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RequestRatesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  @Test
  void areLimitedPerTenantAndPrincipal() {
    try (var stack =
        RestStack.on(
            database,
            config ->
                config.limits(
                    config
                        .limits()
                        .requestsPerSecond(1)
                        .requestsBurst(5)
                        .requestsPerSecondOfPrincipal(1)
                        .requestsBurstOfPrincipal(3)))) {
      var ann = stack.client(ACME);
      var claims = stack.issuer().claims(ACME);
      claims.put("sub", "bob");
      var bob = stack.client().token(stack.issuer().signed(claims));

      for (var i = 0; i < 3; i++) {
        assertThat(ann.get("/api/v1/handlers").status()).isEqualTo(200);
      }
      var refused = ann.get("/api/v1/handlers");

      assertThat(refused.problem()).isEqualTo("too-many-requests");
      assertThat(Integer.parseInt(refused.header("Retry-After"))).isPositive();
      assertThat(bob.get("/api/v1/handlers").status()).isEqualTo(200);
      assertThat(stack.client(GLOBEX).get("/api/v1/handlers").status()).isEqualTo(200);
    }
  }

  @Test
  void numberOfBucketsIsBounded() {
    var buckets = new Buckets<Integer>(1, 1);
    for (var i = 0; i < 20_000; i++) {
      assertThat(buckets.take(i).isZero()).isTrue();
    }

    assertThat(buckets.count()).isEqualTo(10_000);
    assertThat(buckets.take(19_999).isZero()).isFalse();
  }
}
