package io.leasehold.rest.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SeldomTest {

  private long now = Duration.ofDays(1).toNanos();
  private final Seldom<String> seldom = new Seldom<>(() -> now);

  @Test
  void logsTheFirstAtOnce() {
    assertThat(seldom.next("flood")).isEqualTo(OptionalLong.of(0));
  }

  @Test
  void countsTheOthersOfAMinute() {
    seldom.next("flood");
    now += Duration.ofSeconds(59).toNanos();
    assertThat(seldom.next("flood")).isEmpty();
    assertThat(seldom.next("flood")).isEmpty();
    now += Duration.ofSeconds(1).toNanos();

    assertThat(seldom.next("flood")).isEqualTo(OptionalLong.of(2));
    assertThat(seldom.next("flood")).isEmpty();
  }

  @Test
  void doesNotHoldBackAnotherKind() {
    seldom.next("flood");

    assertThat(seldom.next("fire")).isEqualTo(OptionalLong.of(0));
  }
}
