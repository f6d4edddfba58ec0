package io.leasehold.rest.stream.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.EventPage;
import io.leasehold.jobs.history.JobEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PortionsTest {

  private static final int EVENT_MOST = 65_536;

  /** How many events each read asked for. */
  private final List<Integer> asked = new ArrayList<>();

  @Test
  void areBoundedByBytesAndComplete() {
    var history = history(50, EVENT_MOST);

    var portions = read(history);

    assertThat(portions)
        .allSatisfy(
            portion -> assertThat(portion.bytes()).isLessThanOrEqualTo(Portions.BYTES_MOST));
    assertThat(portions.stream().flatMap(portion -> portion.events().stream())).isEqualTo(history);
    assertThat(portions.getLast().isOver()).isTrue();
  }

  @Test
  void fewLargeEventsAreRead() {
    read(history(50, EVENT_MOST));

    assertThat(asked.getFirst()).isEqualTo(32);
    assertThat(asked.subList(1, asked.size())).allMatch(most -> most <= 4);
  }

  @Test
  void moreSmallEventsAreRead() {
    read(history(300, 10));

    assertThat(asked).containsExactly(32, 64, 100, 100, 100);
  }

  @Test
  void haveAtLeastOneEvent() {
    var history = history(3, 2 * Portions.BYTES_MOST);

    assertThat(read(history)).extracting(portion -> portion.events().size()).containsOnly(1);
  }

  @Test
  void areNotFinalIfCut() {
    var first = portions(history(5, EVENT_MOST)).behind(EventCursor.BEGIN).orElseThrow();

    assertThat(first.events()).hasSize(2);
    assertThat(first.hasMore()).isTrue();
    assertThat(first.isOver()).isFalse();
  }

  private List<Portion> read(List<JobEvent> history) {
    var portions = portions(history);
    var all = new ArrayList<Portion>();
    var next = EventCursor.BEGIN;
    do {
      all.add(portions.behind(next).orElseThrow());
      next = all.getLast().next();
    } while (all.getLast().hasMore());
    return all;
  }

  private Portions portions(List<JobEvent> history) {
    return new Portions(
        (after, limit) -> {
          asked.add(limit);
          var behind =
              history.stream().filter(event -> event.cursor().compareTo(after) > 0).toList();
          var page = behind.subList(0, Math.min(limit, behind.size()));
          var next = page.isEmpty() ? after : page.getLast().cursor();
          return Optional.of(new EventPage(page, next, behind.size() <= limit));
        });
  }

  private static List<JobEvent> history(int events, int bytes) {
    return IntStream.rangeClosed(1, events)
        .mapToObj(
            n ->
                new JobEvent(
                    new EventCursor(1, n),
                    Instant.EPOCH,
                    "log",
                    1,
                    "\"%s\"".formatted("x".repeat(bytes - 2))))
        .toList();
  }
}
