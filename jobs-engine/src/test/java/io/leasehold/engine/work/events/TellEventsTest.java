package io.leasehold.engine.work.events;

import static io.leasehold.engine.maintenance.TestQueue.TENANT;
import static io.leasehold.engine.maintenance.TestQueue.today;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.engine.work.steps.Holder;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.JobTask;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.JSON;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of tasks, and of all else, is told under the fence: first words and later ones. */
class TellEventsTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(TENANT)).build();
  private static final WorkerId HOLDER = WorkerId.random();

  private UUID id;
  private long token;

  @BeforeEach
  void lease() throws SQLException {
    id = queue.leased(today(), HOLDER.value(), 1, "requeue", 60);
    token = (long) queue.ask("SELECT token FROM leasehold.lease WHERE id = ?", id).getFirst();
  }

  private static Holder holder(UUID id, WorkerId worker, long token) {
    var job =
        new ClaimedJob(
            CALLER.tenant(),
            new JobId(id),
            token,
            1,
            3,
            "gts.x.core.jobs.handler.v1~acme.tests.engine.told.v1",
            0,
            JSON.json("1"),
            null,
            Optional.empty(),
            Optional.empty(),
            "ann",
            Optional.empty());
    return new Holder(queue.transactions(), worker, job, CALLER);
  }

  /** As the first that the attempt tells, or as what follows: these are two statements. */
  private static void tell(Holder holder, int first) {
    var word = Telling.event(JobTask.EVENT, JSON.json("{\"task_id\":\"load\"}"));
    queue
        .transactions()
        .asEngine(
            tx -> {
              TellEvents.tell(tx, holder, new EventBatch(first, List.of(word), Optional.empty()));
              return tx;
            });
  }

  private List<Object> told() throws SQLException {
    return queue.ask("SELECT number FROM leasehold.event WHERE id = ? ORDER BY number", id);
  }

  private void isRefused(Holder holder, int first) throws SQLException {
    assertThatThrownBy(() -> tell(holder, first))
        .isInstanceOfSatisfying(
            JobsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LEASE_LOST));
    assertThat(told()).isEmpty();
  }

  @Test
  void writesForTheHolderOfTheLease() throws SQLException {
    tell(holder(id, HOLDER, token), 1);
    tell(holder(id, HOLDER, token), 2);

    assertThat(told()).containsExactly(1, 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void writesNothingForAnEarlierLeaseOfTheSameWorker(int first) throws SQLException {
    isRefused(holder(id, HOLDER, token - 1), first);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void writesNothingForAnotherWorker(int first) throws SQLException {
    isRefused(holder(id, WorkerId.random(), token), first);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void writesNothingForALeaseWithoutAWorker(int first) throws SQLException {
    queue.run(
        """
        UPDATE leasehold.lease
        SET worker_id = NULL, when_lost = 'adopt', first_started_at = now(), first_token = token
        WHERE id = ?\
        """,
        id);

    isRefused(holder(id, HOLDER, token), first);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void writesNothingWithoutALease(int first) throws SQLException {
    queue.run("DELETE FROM leasehold.lease WHERE id = ?", id);

    isRefused(holder(id, HOLDER, token), first);
  }
}
