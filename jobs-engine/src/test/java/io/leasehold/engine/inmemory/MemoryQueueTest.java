package io.leasehold.engine.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.inmemory.MemoryJob.Life;
import io.leasehold.engine.inmemory.state.AskedJob;
import io.leasehold.engine.inmemory.state.MemoryClock;
import io.leasehold.engine.inmemory.state.MemoryHistory;
import io.leasehold.engine.inmemory.state.MemoryKeys;
import io.leasehold.engine.inmemory.state.MemoryTerms;
import io.leasehold.engine.inmemory.state.Places;
import io.leasehold.engine.work.handlers.HandlerRegistry;
import io.leasehold.engine.work.handlers.RegisteredHandler;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MemoryQueueTest {

  private static final RegisteredHandler<String, String> HANDLER =
      new RegisteredHandler.Plain<>(
          JobType.inMemory(
              "gts.x.core.jobs.handler.v1~acme.tests.memory.queued.v1", String.class, String.class),
          () -> (job, input) -> input);
  private static final int CAPACITY = 5;
  private static final int SLOTS = 2;
  private static final Duration SOON = Duration.ofNanos(1);

  private final MemoryTerms terms =
      new MemoryTerms(
          SLOTS, CAPACITY, Duration.ofHours(1), Duration.ofSeconds(1), CAPACITY, CAPACITY);
  private final MemoryClock clock = new MemoryClock();
  private final Places places = new Places(new HandlerRegistry(List.of(HANDLER)), terms);
  private final MemoryQueue queue = new MemoryQueue(places, new MemoryKeys(), clock, terms);
  private long entered;

  /** The one that is due later was entered first. */
  @Test
  void aDelayedJobDoesNotWaitForALaterOne() {
    enter(Duration.ofHours(1));
    var soon = enter(SOON);

    await().until(queue::tidy);

    assertThat(start()).contains(soon);
    assertThat(start()).isEmpty();
  }

  @Test
  void allDueJobsAreMovedAtOnce() {
    var first = enter(SOON);
    var second = enter(SOON);
    await().until(() -> clock.nanos() > second.dueAt());

    queue.tidy();

    assertThat(start()).contains(first);
    assertThat(start()).contains(second);
  }

  @Test
  void aDelayedJobThatIsPutBackKeepsItsDelay() {
    var job = enter(Duration.ofHours(1));

    queue.withdraw(job);
    queue.putBack(job);

    assertThat(start()).isEmpty();
  }

  @Test
  void theQueueSleepsUntilItsNextJobIsDue() {
    enter(Duration.ofHours(1));

    assertThat(queue.isQuietFor(Duration.ofMinutes(1))).isTrue();
    assertThat(queue.isQuietFor(Duration.ofHours(2))).isFalse();
  }

  @Test
  void noMoreJobsRunThanThereAreSlots() {
    for (var i = 0; i <= SLOTS; i++) {
      enter(Duration.ZERO);
    }

    assertThat(start()).isPresent();
    assertThat(start()).isPresent();
    assertThat(start()).isEmpty();
  }

  /** As many as the process takes at most. */
  @Test
  void theJobThatEndedFirstIsRemovedWhenTooManyAreKept() {
    var jobs = new ArrayList<MemoryJob>();
    for (var i = 0; i <= CAPACITY; i++) {
      jobs.add(enter(Duration.ZERO));
      end(jobs.getLast());
    }

    assertThat(queue.find(jobs.getFirst().asked().id())).isEmpty();
    assertThat(queue.newest()).containsExactlyElementsOf(jobs.subList(1, jobs.size()).reversed());
  }

  private MemoryJob enter(Duration delay) {
    var asked =
        new AskedJob(
            clock.newId(),
            new TenantId(new UUID(1, 1)),
            "ann",
            Optional.empty(),
            HANDLER,
            0,
            1,
            Optional.empty(),
            null,
            Optional.empty());
    var life = Life.from(clock.now(), clock.now());
    var job = new MemoryJob(asked, ++entered, "hello", life, new MemoryHistory(CAPACITY));
    places.take(HANDLER.type().handler());
    queue.enter(job, delay);
    return job;
  }

  private Optional<MemoryJob> start() {
    return queue.start(SLOTS, _ -> {});
  }

  private void end(MemoryJob job) {
    queue.end(job, life -> life.over(JobStatus.SUCCEEDED, Optional.empty(), null, clock.now()));
  }
}
