package io.leasehold.engine.time.delayed;

import static io.leasehold.engine.maintenance.TestQueue.today;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.engine.metrics.Measuring;
import io.leasehold.engine.signal.WakeUps;
import io.leasehold.engine.signal.watch.Watching;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** It looks about once a second: what is due sooner is late unless it knows. */
class MoveInTimeTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private static final Duration LATE = Duration.ofMillis(350);

  private final RungQueues rung = new RungQueues();
  private final Alarm alarm = new Alarm();
  private final Thread moving =
      Thread.ofPlatform()
          .daemon()
          .unstarted(
              new MoveInTime(
                  queue.transactions(),
                  rung,
                  alarm,
                  new Random(1),
                  new WatchClock(queue.transactions(), Measuring.signsOfLife()),
                  Watching.none()));

  private static final class RungQueues implements WakeUps {

    @Override
    public void jobsDueIn(Duration delay) {}

    private final Queue<String> queues = new ConcurrentLinkedQueue<>();

    @Override
    public void jobsIn(String queue) {
      queues.add(queue);
    }

    @Override
    public void cancellations() {}
  }

  @AfterEach
  void stop() throws InterruptedException {
    moving.interrupt();
    moving.join();
  }

  @Test
  void sleepsUntilTheNextIsDue() throws SQLException {
    queue.scheduled(today(), 500);

    moving.start();

    assertThat(lateness()).isLessThan(LATE);
  }

  @Test
  void isWokenForAJobThatIsDueSooner() throws SQLException {
    moving.start();
    await().until(() -> moving.getState() == Thread.State.TIMED_WAITING);
    queue.scheduled(today(), 200);
    alarm.wakeIn(Duration.ofMillis(200));

    assertThat(lateness()).isLessThan(LATE);
  }

  /** Written before the database's clock went back. */
  @Test
  void movesAJobInTimeWhoseDelayWasWrittenAnHourAhead() throws SQLException {
    queue.scheduled(today(), 3_600_000);
    queue.run("UPDATE leasehold.scheduled SET written_at = available_at - interval '500 ms'");

    moving.start();

    assertThat(lateness()).isLessThan(LATE);
  }

  @Test
  void reportsTheQueuesThatHaveNewJobs() throws SQLException {
    queue.scheduled(today(), -1);
    queue.scheduled(today(), -1);

    moving.start();

    await().until(() -> !rung.queues.isEmpty());
    assertThat(rung.queues).containsExactly("default");
  }

  /** The delay was written before the clock went back by an hour. */
  @Test
  void healsADelayThatAStepOfTheClockLeftAhead() throws SQLException {
    moving.start();
    await().until(() -> moving.getState() == Thread.State.TIMED_WAITING);
    queue.scheduled(today(), 3_600_200);
    queue.run("UPDATE leasehold.scheduled SET written_at = now() + interval '1 h'");

    queue.run("UPDATE leasehold.clock SET seen_at = now() + interval '1 h'");

    assertThat(lateness()).isLessThan(Duration.ofSeconds(3));
  }

  /** How long after its time the job was moved, by the database's clock. */
  private static Duration lateness() {
    return await()
        .pollInterval(Duration.ofMillis(10))
        .until(
            () ->
                queue.ask(
                    "SELECT (extract(epoch FROM clock_timestamp() - available_at) * 1000)::int"
                        + " FROM leasehold.ready"),
            late -> !late.isEmpty())
        .stream()
        .map(late -> Duration.ofMillis((Integer) late))
        .findAny()
        .orElseThrow();
  }
}
