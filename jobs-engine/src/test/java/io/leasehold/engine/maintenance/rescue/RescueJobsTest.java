package io.leasehold.engine.maintenance.rescue;

import static io.leasehold.engine.maintenance.TestQueue.today;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.engine.maintenance.rescue.RescueJobs.Rescued;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RescueJobsTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private final UUID worker = UUID.randomUUID();

  @Test
  void queuesAJobWhoseWorkerIsSilent() throws SQLException {
    var id = queue.leased(today(), worker, 2, "requeue", -1);

    assertThat(rescue()).containsExactly("default");

    assertThat(queue.traces(id)).containsOnlyKeys("job", "ready", "attempt");
    assertThat(queue.ask("SELECT attempts FROM leasehold.ready")).containsExactly(2);
    assertThat(queue.ask("SELECT status FROM leasehold.attempt WHERE attempt = 2"))
        .containsExactly("lost");
  }

  @Test
  void leavesAValidLease() throws SQLException {
    var id = queue.leased(today(), worker, 1, "requeue", 30);

    assertThat(rescue()).isEmpty();

    assertThat(queue.traces(id)).containsOnlyKeys("job", "lease");
  }

  @Test
  void failsAJobAtItsLastAttemptIfItsTypeSaysFail() throws SQLException {
    queue.run(
        """
        INSERT INTO leasehold.worker VALUES (?, 'host 7', '1', '{}', 1, now(), now(), false)\
        """,
        worker);
    var id = queue.leased(today(), worker, 3, "fail", -1);

    assertThat(rescue()).isEmpty();

    assertThat(queue.traces(id)).containsOnlyKeys("job", "outcome", "attempt", "event");
    assertThat(queue.ask("SELECT status || ': ' || error FROM leasehold.outcome"))
        .containsExactly("failed: the worker host 7 was lost during attempt 3");
  }

  @Test
  void queuesAJobAgainBeforeItsLastAttempt() throws SQLException {
    var id = queue.leased(today(), worker, 2, "fail", -1);

    assertThat(rescue()).hasSize(1);

    assertThat(queue.traces(id)).containsKey("ready");
  }

  @Test
  void failsAJobThatKeepsKillingItsWorkers() throws SQLException {
    var again = queue.leased(today(), worker, 11, "requeue", -1);
    var over = queue.leased(today(), worker, 12, "requeue", -1);

    assertThat(rescue()).hasSize(1);

    assertThat(queue.traces(again)).containsKey("ready");
    assertThat(queue.traces(over)).containsKey("outcome");
  }

  @Test
  void errorDoesNotShowTheWorkersId() throws SQLException {
    queue.leased(today(), worker, 3, "fail", -1);

    rescue();

    assertThat(queue.ask("SELECT error FROM leasehold.outcome"))
        .containsExactly("the worker, no longer registered, was lost during attempt 3");
  }

  @Test
  void skipsALeaseThatIsBeingEnded() throws SQLException {
    var id = queue.leased(today(), worker, 1, "requeue", -1);
    try (var engine = queue.asEngine()) {
      TestQueue.ask(engine, "SELECT id FROM leasehold.lease WHERE id = ? FOR UPDATE", id);

      assertThat(rescue()).isEmpty();
    }
    assertThat(queue.traces(id)).containsOnlyKeys("job", "lease");
  }

  @Test
  void concurrentRescuesRescueAJobOnce() throws SQLException {
    var id = queue.leased(today(), worker, 1, "requeue", -1);

    var second =
        queue
            .transactions()
            .asEngine(
                tx -> {
                  assertThat(RescueJobs.rescue(tx, 10)).hasSize(1);
                  return CompletableFuture.supplyAsync(RescueJobsTest::rescue).join();
                });

    assertThat(second).isEmpty();
    assertThat(queue.traces(id)).containsEntry("ready", 1L).containsEntry("attempt", 1L);
  }

  /** It is stored last. */
  @Test
  void theLeaseThatExpiredFirstIsTakenFirst() throws SQLException {
    var later = queue.leased(today(), worker, 1, "requeue", -1);
    var first = queue.leased(today(), worker, 1, "requeue", -60);

    assertThat(rescue(1)).hasSize(1);

    assertThat(queue.traces(first)).containsKey("ready");
    assertThat(queue.traces(later)).containsOnlyKeys("job", "lease");
  }

  private static List<String> rescue() {
    return rescue(10);
  }

  private static List<String> rescue(int limit) {
    return queue.transactions().asEngine(tx -> RescueJobs.rescue(tx, limit)).stream()
        .filter(job -> !job.isOver())
        .map(Rescued::queue)
        .toList();
  }
}
