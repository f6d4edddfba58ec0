package io.leasehold.rest.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.JobEvent;
import io.leasehold.rest.stream.write.SentEvent;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RingTest {

  private final Ring ring = new Ring(new EventCursor(1, 0));

  @Test
  void returnsEventsAfterACursor() {
    add(1, "1");
    add(2, "2");

    assertThat(ring.after(new EventCursor(1, 1)))
        .extracting(SentEvent::cursor)
        .containsExactly(new EventCursor(1, 2));
    assertThat(ring.end()).isEqualTo(new EventCursor(1, 2));
  }

  @Test
  void reachesBackToItsStart() {
    add(1, "1");

    assertThat(ring.reachesBackTo(new EventCursor(1, 0))).isTrue();
    assertThat(ring.reachesBackTo(new EventCursor(0, 9))).isFalse();
  }

  @Test
  void keepsTwoHundredEvents() {
    for (var i = 1; i <= 201; i++) {
      add(i, "1");
    }

    assertThat(ring.reachesBackTo(new EventCursor(1, 0))).isFalse();
    assertThat(ring.after(new EventCursor(1, 1))).hasSize(200);
  }

  @Test
  void keepsAQuarterOfAMegabyte() {
    for (var i = 1; i <= 5; i++) {
      add(i, "\"%s\"".formatted("x".repeat(65_000)));
    }

    assertThat(ring.after(new EventCursor(1, 0))).hasSize(4);
    assertThat(ring.reachesBackTo(new EventCursor(1, 1))).isTrue();
    assertThat(ring.reachesBackTo(new EventCursor(1, 0))).isFalse();
  }

  private void add(int n, String body) {
    ring.add(SentEvent.of(new JobEvent(new EventCursor(1, n), Instant.EPOCH, "log", 1, body)));
  }
}
