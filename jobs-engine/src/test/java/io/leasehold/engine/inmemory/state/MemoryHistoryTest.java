package io.leasehold.engine.inmemory.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.JobEvent;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemoryHistoryTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final MemoryHistory history = new MemoryHistory(1);

  @Test
  void hasRoomForEnginesEventsWhenTheHandlersQuotaIsUsed() {
    history.say(NOW, 1, 1, "log", "{}");

    history.tell(NOW, 1, 1, "retry_scheduled", Map.of());

    assertThat(history.all()).extracting(JobEvent::kind).containsExactly("log", "retry_scheduled");
  }

  @Test
  void hasRoomForTheEndEventWhenItIsFull() {
    var from = EventCursor.BEGIN;
    for (int token = 1; from.token() == token - 1; token++) {
      history.tell(NOW, token, 1, "put_off", Map.of());
      from = history.page(from, 1, false).next();
    }

    history.tellEnd(NOW, from.token(), 1, "failed", Map.of());

    var page = history.page(from, 10, true);
    assertThat(page.events()).extracting(JobEvent::kind).containsExactly("failed");
    assertThat(page.isOver()).isTrue();
  }
}
