package io.leasehold.engine.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.jobs.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SlotsTest {

  private final List<Runnable> taken = new ArrayList<>();
  private final Slots slots = new Slots(2, (_, free) -> taken.add(free));

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
  void aSlotThatIsFreedTwiceStartsOneOfThoseThatWait() {
    slots.take(List.of(job(1), job(2), job(3), job(4)));

    taken.getFirst().run();
    taken.getFirst().run();

    assertThat(taken).hasSize(3);
    assertThat(slots.busy()).isEqualTo(2);
  }
}
