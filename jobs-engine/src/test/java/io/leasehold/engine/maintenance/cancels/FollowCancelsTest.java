package io.leasehold.engine.maintenance.cancels;

import static io.leasehold.engine.maintenance.TestQueue.today;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.engine.maintenance.retention.LookingDependents;
import io.leasehold.engine.signal.watch.Watching;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FollowCancelsTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private final LookingDependents dependents = new LookingDependents();
  private final FollowCancels followCancels =
      new FollowCancels(queue.transactions(), Watching.none(), dependents);

  @Test
  void cancelsAJobThatIsQueuedAgain() throws SQLException {
    var id = queue.ready(today());
    queue.request(id, false, 0);

    followCancels.follow();

    assertThat(status(id)).containsExactly("cancelled");
    assertThat(queue.traces(id)).containsOnlyKeys("job", "outcome", "cancel_request", "event");
  }

  @Test
  void cancelsAJobThatWaitsForARetry() throws SQLException {
    var id = queue.scheduled(today(), 60_000);
    queue.request(id, false, 0);

    followCancels.follow();

    assertThat(status(id)).containsExactly("cancelled");
    assertThat(queue.traces(id)).containsOnlyKeys("job", "outcome", "cancel_request", "event");
  }

  /** Until it is removed, which is another transaction. */
  @Test
  void failsAJobThatIsToBeRemoved() throws SQLException {
    var ready = queue.ready(today());
    var scheduled = queue.scheduled(today(), 60_000);
    for (var id : List.of(ready, scheduled)) {
      queue.request(id, false, 0);
      queue.request(id, true, 0);
    }

    queue.transactions().asEngine(tx -> CancelWaiting.cancel(tx, 10));

    for (var id : List.of(ready, scheduled)) {
      assertThat(status(id)).containsExactly("failed");
      assertThat(queue.ask("SELECT error FROM leasehold.outcome WHERE id = ?", id))
          .containsExactly("cancelled");
      assertThat(
              queue.ask(
                  "SELECT kind || ' ' || (body ->> 'error') FROM leasehold.event WHERE id = ?", id))
          .containsExactly("failed cancelled");
    }
  }

  @Test
  void cancelsAJobThatWaitsForItsDependencies() throws SQLException {
    var id = queue.waiting(today());
    queue.request(id, false, 0);

    followCancels.follow();

    assertThat(status(id)).containsExactly("cancelled");
    assertThat(queue.traces(id)).containsOnlyKeys("job", "outcome", "cancel_request", "event");
  }

  @Test
  void failsTheDependentsOfACancelledJob() throws SQLException {
    followCancels.follow();
    assertThat(dependents.looks()).isZero();
    queue.request(queue.ready(today()), false, 0);

    followCancels.follow();

    assertThat(dependents.looks()).isPositive();
  }

  @Test
  void cancelsAJobOnceForSeveralRequests() throws SQLException {
    var id = queue.ready(today());
    queue.request(id, false, 0);
    queue.request(id, false, 0);

    followCancels.follow();

    assertThat(queue.traces(id)).containsEntry("outcome", 1L);
  }

  @Test
  void leavesJobsWithoutARequest() throws SQLException {
    var ready = queue.ready(today());
    var scheduled = queue.scheduled(today(), 60_000);
    queue.request(queue.ready(today()), true, 0);

    followCancels.follow();

    assertThat(queue.traces(ready)).containsOnlyKeys("job", "ready");
    assertThat(queue.traces(scheduled)).containsOnlyKeys("job", "scheduled");
  }

  @Test
  void leavesARunningJobToItsWorker() throws SQLException {
    var id = queue.leased(today(), UUID.randomUUID(), 1, "requeue", 60);
    queue.request(id, true, 120);

    followCancels.follow();

    assertThat(queue.traces(id)).containsOnlyKeys("job", "lease", "cancel_request");
  }

  @Test
  void deletesAnEndedJobWithAllThatBelongsToIt() throws SQLException {
    var id = queue.ended(today(), "cancelled", 0);
    queue.furnish(id);
    queue.request(id, true, 0);

    followCancels.follow();

    assertThat(queue.traces(id)).isEmpty();
  }

  @Test
  void deletesAWaitingJobAtOnceIfRequested() throws SQLException {
    var id = queue.ready(today());
    queue.furnish(id);
    queue.request(id, true, 0);

    followCancels.follow();

    assertThat(queue.traces(id)).isEmpty();
  }

  @Test
  void deletesNoOtherEndedJob() throws SQLException {
    var kept = queue.ended(today(), "succeeded", 0);
    queue.furnish(kept);
    queue.request(queue.ended(today(), "cancelled", 0), true, 0);

    followCancels.follow();

    assertThat(queue.traces(kept)).hasSize(13);
  }

  @Test
  void removesTheRequestForAnEndedJobAfterAMinute() throws SQLException {
    var young = queue.ended(today(), "succeeded", 0);
    queue.request(young, false, 50);
    var old = queue.ended(today(), "succeeded", 0);
    queue.request(old, false, 70);

    followCancels.follow();

    assertThat(queue.traces(young)).containsKey("cancel_request");
    assertThat(queue.traces(old)).containsOnlyKeys("job", "outcome");
  }

  @Test
  void removesTheRequestForADeletedJob() throws SQLException {
    var id = TestQueue.idOf(today());
    queue.request(id, true, 70);

    followCancels.follow();

    assertThat(queue.traces(id)).isEmpty();
  }

  /** Each order of the two is forced: one has done its work, and has not committed. */
  @Nested
  class BesideATenant {

    @Test
    void skipsAJobThatIsBeingRetried() throws SQLException {
      var id = queue.ended(today(), "failed", 0);
      queue.request(id, true, 0);
      try (var tenant = queue.asTenant()) {
        assertThat(call(tenant, "SELECT status FROM leasehold.retry(?)", id))
            .containsExactly("queued");

        followCancels.follow();

        tenant.commit();
      }
      assertThat(queue.traces(id)).containsOnlyKeys("job", "ready", "attempt", "event");
    }

    @Test
    void skipsAJobThatIsBeingDeleted() throws SQLException {
      var id = queue.ended(today(), "failed", 0);
      queue.furnish(id);
      queue.request(id, true, 0);
      try (var tenant = queue.asTenant()) {
        assertThat(call(tenant, "SELECT answer FROM leasehold.delete(?)", id))
            .containsExactly("deleted");

        followCancels.follow();

        tenant.commit();
      }
      assertThat(queue.traces(id)).isEmpty();
    }

    @Test
    void skipsAWaitingJobThatIsBeingDeleted() throws SQLException {
      var id = queue.ready(today());
      queue.request(id, false, 70);
      try (var tenant = queue.asTenant()) {
        assertThat(call(tenant, "SELECT answer FROM leasehold.delete(?)", id))
            .containsExactly("deleted");

        followCancels.follow();

        tenant.commit();
      }
      assertThat(queue.traces(id)).isEmpty();
    }

    @Test
    void aConcurrentRetryWaitsAndFindsNoJob() throws Exception {
      var id = queue.ended(today(), "failed", 0);
      queue.request(id, true, 0);

      var answer =
          whileDeleted(id, "SELECT coalesce(max(status), 'unknown') FROM leasehold.retry(?)");

      assertThat(answer).containsExactly("unknown");
      assertThat(queue.traces(id)).isEmpty();
    }

    @Test
    void aConcurrentDeletionWaitsAndFindsNoJob() throws Exception {
      var id = queue.ended(today(), "failed", 0);
      queue.furnish(id);
      queue.request(id, true, 0);

      var answer =
          whileDeleted(id, "SELECT coalesce(max(answer), 'unknown') FROM leasehold.delete(?)");

      assertThat(answer).containsExactly("unknown");
      assertThat(queue.traces(id)).isEmpty();
    }

    @Test
    void doesNotDeadlockWithALockOnTheNextJob() throws Exception {
      var first = queue.ended(today(), "failed", 0);
      var second = queue.ended(today(), "failed", 0);
      queue.request(first, true, 0);
      queue.request(second, true, 0);
      try (var tenant = queue.asTenant()) {
        call(tenant, "SELECT status FROM leasehold.retry(?)", second);

        followCancels.follow();
        var answer =
            call(tenant, "SELECT coalesce(max(status), 'unknown') FROM leasehold.retry(?)", first);

        tenant.commit();
        assertThat(answer).containsExactly("unknown");
      }
      assertThat(queue.traces(first)).isEmpty();
      assertThat(queue.traces(second)).containsOnlyKeys("job", "ready", "attempt", "event");
    }

    private List<Object> whileDeleted(UUID id, String call) throws Exception {
      try (var executor = Executors.newVirtualThreadPerTaskExecutor();
          var tenant = queue.asTenant()) {
        var answer =
            queue
                .transactions()
                .asEngine(
                    tx -> {
                      assertThat(DeleteEnded.delete(tx, 10)).hasSize(1);
                      var waiting =
                          CompletableFuture.supplyAsync(() -> call(tenant, call, id), executor);
                      await().until(FollowCancelsTest::somebodyWaits);
                      return waiting;
                    });
        var answered = answer.join();
        tenant.commit();
        return answered;
      }
    }
  }

  private static boolean somebodyWaits() throws SQLException {
    return !queue
        .ask(
            "SELECT pid FROM pg_stat_activity"
                + " WHERE datname = current_database() AND wait_event_type = 'Lock'")
        .isEmpty();
  }

  private static List<Object> call(Connection tenant, String sql, UUID id) {
    try {
      return TestQueue.ask(tenant, sql, id);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Object> status(UUID id) throws SQLException {
    return queue.ask("SELECT status FROM leasehold.outcome WHERE id = ?", id);
  }
}
