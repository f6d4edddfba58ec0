package io.leasehold.engine.time.delayed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AlarmTest {

  /** As for a schedule that starts in a thousand years: more nanoseconds than can be counted. */
  @Test
  void acceptsAnyDuration() throws InterruptedException {
    var alarm = new Alarm();

    alarm.wakeIn(Duration.ofDays(365_000));
    alarm.wakeIn(Duration.ofSeconds(Long.MAX_VALUE));
    alarm.wakeIn(Duration.ofSeconds(-1));

    var began = System.nanoTime();
    alarm.await(Duration.ofMinutes(1));
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
  }
}
