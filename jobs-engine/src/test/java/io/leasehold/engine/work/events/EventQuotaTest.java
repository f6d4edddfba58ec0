package io.leasehold.engine.work.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jobs.history.JobTask;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.JSON;
import org.junit.jupiter.api.Test;

class EventQuotaTest {

  @Test
  void isSharedByAllAttempts() {
    var room = new EventQuota(5, 3);

    assertThat(admitted(room, "log", "log", "log", "log"))
        .containsExactly("log", "log", "events_dropped");
    assertThat(admitted(room, "log")).isEmpty();
  }

  @Test
  void reportsItsEndOnce() {
    assertThat(admitted(new EventQuota(5, 6), "log")).isEmpty();
  }

  @Test
  void hasAReserveForTasks() {
    var room = new EventQuota(1, 0);

    assertThat(admitted(room, "log", "log", JobTask.EVENT, "log", JobTask.EVENT))
        .containsExactly("log", "events_dropped", JobTask.EVENT, JobTask.EVENT);
  }

  @Test
  void limitsTheReserveForTasks() {
    var tasks = Collections.nCopies(EventQuota.FOR_TASKS + 1, JobTask.EVENT).toArray(String[]::new);

    assertThat(admitted(new EventQuota(0, 0), tasks)).hasSize(1 + EventQuota.FOR_TASKS);
    assertThat(admitted(new EventQuota(10, 11 + EventQuota.FOR_TASKS), tasks)).isEmpty();
  }

  @Test
  void alwaysAdmitsACancel() {
    assertThat(admitted(new EventQuota(0, 0), Telling.CANCEL_REQUESTED))
        .containsExactly(Telling.CANCEL_REQUESTED);
  }

  private static List<String> admitted(EventQuota room, String... kinds) {
    var tellings = Stream.of(kinds).map(kind -> Telling.event(kind, JSON.json("{}"))).toList();
    return room.admit(tellings).stream().map(Telling::kind).toList();
  }
}
