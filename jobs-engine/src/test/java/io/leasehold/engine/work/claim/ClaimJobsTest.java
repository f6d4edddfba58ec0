package io.leasehold.engine.work.claim;

import static io.leasehold.engine.maintenance.TestQueue.TENANT;
import static io.leasehold.engine.maintenance.TestQueue.today;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.select;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.IdOrder;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ClaimJobsTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private static final Claimant CLAIMANT =
      new Claimant(WorkerId.random(), "default", Duration.ofMinutes(1), Set.of(), Set.of());
  private static final Lane LANE =
      new Lane(new TenantId(TENANT), (short) 0, new JobId(new UUID(0, 0)), 1);

  @Test
  void aJobThatAnotherWorkerIsClaimingIsSkipped() throws SQLException {
    queue.ready(today());
    queue.ready(today());

    var second =
        queue
            .transactions()
            .asEngine(
                tx -> {
                  assertThat(claim(tx, 1)).hasSize(1);
                  return CompletableFuture.supplyAsync(() -> claim(2)).join();
                });

    assertThat(second).hasSize(1);
  }

  /** As when the lanes of several tenants have more of them than there is room for. */
  @Test
  void noMoreJobsAreClaimedThanThereIsRoomFor() throws SQLException {
    for (var i = 0; i < 3; i++) {
      queue.ready(today());
    }

    var claimed =
        queue
            .transactions()
            .asEngine(tx -> ClaimJobs.claim(tx, CLAIMANT, List.of(new Turn(LANE, 3)), 2, _ -> {}));

    assertThat(claimed).hasSize(2);
  }

  /** So they are started in that order where they wait for slots. */
  @Test
  void claimedJobsAreOrderedByPriorityAndAge() throws SQLException {
    var high = new JobId(queue.ready(today()));
    queue.run("UPDATE leasehold.job SET priority = 5");
    queue.run("UPDATE leasehold.ready SET priority = 5");
    for (int i = 0; i < 5; i++) {
      queue.ready(today());
    }
    var lane = new Lane(LANE.tenant(), (short) 5, LANE.floor(), 1);
    var turns = List.of(new Turn(LANE, 5), new Turn(lane, 1));

    var claimed =
        queue.transactions().asEngine(tx -> ClaimJobs.claim(tx, CLAIMANT, turns, 6, _ -> {}));

    assertThat(claimed).hasSize(6).extracting(ClaimedJob::id).startsWith(high);
    assertThat(claimed.subList(1, 6))
        .extracting(job -> job.id().value())
        .isSortedAccordingTo(IdOrder.UNSIGNED);
  }

  /** So no run seems to begin before its build has succeeded. */
  @Test
  void noJobStartsBeforeItWasSubmitted() throws SQLException {
    var came = new ArrayList<Object>();
    var waits = new ArrayList<Double>();

    var claimed =
        queue
            .transactions()
            .asEngine(
                tx -> {
                  tx.fetchSingle(select(currentOffsetDateTime())); // The claim's transaction began.
                  queue.ready(today());
                  came.addAll(queue.ask("SELECT available_at FROM leasehold.ready"));
                  return ClaimJobs.claim(tx, CLAIMANT, List.of(new Turn(LANE, 1)), 1, waits::add);
                });

    assertThat(claimed).hasSize(1);
    assertThat(waits.getFirst()).isNegative();
    assertThat(queue.ask("SELECT attempt_started_at FROM leasehold.lease")).isEqualTo(came);
    assertThat(queue.ask("SELECT started_at FROM leasehold.lease")).isEqualTo(came);
  }

  private static List<ClaimedJob> claim(int room) {
    return queue.transactions().asEngine(tx -> claim(tx, room));
  }

  private static List<ClaimedJob> claim(DSLContext tx, int room) {
    return ClaimJobs.claim(tx, CLAIMANT, List.of(new Turn(LANE, room)), room, _ -> {});
  }
}
