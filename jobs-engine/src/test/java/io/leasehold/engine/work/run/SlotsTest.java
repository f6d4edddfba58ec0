package io.leasehold.engine.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.jobs.JobId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SlotsTest {

  private final List<Runnable> taken = new ArrayList<>();
  private final List<Long> started = new ArrayList<>();
  private final Slots slots = new Slots(2, this::start);

  private void start(RunningJob job, Runnable free) {
    started.add(job.job().token());
    taken.add(free);
  }

  private static RunningJob job(long token) {
    return RunningJob.inMemory(LeasesTest.claimed(new JobId(new UUID(token, 1)), token), 0);
  }

  @Test
  void aSlotThatIsFreedTwiceIsFreedOnce() {
    slots.take(List.of(job(1), job(2)));

    taken.getFirst().run();
    taken.getFirst().run();

    assertThat(slots.busy()).isEqualTo(1);
  }

  @Test
  void aSlotThatIsFreedTwiceStartsOneWaitingJob() {
    slots.take(List.of(job(1), job(2), job(3), job(4)));

    taken.getFirst().run();
    taken.getFirst().run();

    assertThat(taken).hasSize(3);
    assertThat(slots.busy()).isEqualTo(2);
  }

  @Test
  void theJobThatWaitsLongestIsStartedNext() {
    slots.take(List.of(job(1), job(2), job(3), job(4)));

    taken.getFirst().run();

    assertThat(started).containsExactly(1L, 2L, 3L);
  }

  @Test
  void roomGrowsWithTheRateOfFinishedJobs() {
    var before = System.nanoTime();
    slots.take(List.of(job(1), job(2)));

    taken.getFirst().run();

    assertThat(slots.room(before)).isEqualTo(2);
  }

  @Test
  void roomIsTheFreeSlotsIfNoJobFinishedLately() {
    slots.take(List.of(job(1), job(2)));
    taken.getFirst().run();

    var muchLater = System.nanoTime() + Duration.ofSeconds(10).toNanos();

    assertThat(slots.room(muchLater)).isEqualTo(1);
  }

  @Test
  void noJobWaitsForASlotThatSeveralQueuesShare() {
    var before = System.nanoTime();
    var shared = Slots.shared(2, this::start);
    shared.take(List.of(job(1), job(2)));

    taken.getFirst().run();

    assertThat(shared.room(before)).isEqualTo(1);
  }

  @Test
  void aClaimOfFewJobsWaitsWhileOthersWaitForASlot() {
    slots.take(List.of(job(1), job(2), job(3), job(4), job(5), job(6), job(7)));
    List.copyOf(taken).forEach(Runnable::run);

    taken.getLast().run();

    assertThat(slots.room(System.nanoTime())).isZero();
  }
}
