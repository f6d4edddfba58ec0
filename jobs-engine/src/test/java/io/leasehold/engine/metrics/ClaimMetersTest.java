package io.leasehold.engine.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClaimMetersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ClaimMeters meters = new ClaimMeters(registry, "reports");

  @Test
  void countJobsThatBecameAvailableDuringTheirClaim() {
    meters.waited(-0.007);
    meters.waited(2);

    var wait = registry.get(Metric.WAIT.meter()).timer();
    assertThat(wait.count()).isEqualTo(2);
    assertThat(wait.totalTime(TimeUnit.SECONDS)).isEqualTo(2);
  }
}
