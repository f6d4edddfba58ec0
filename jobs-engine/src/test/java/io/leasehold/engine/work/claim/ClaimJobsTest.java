package io.leasehold.engine.work.claim;

import static io.leasehold.engine.maintenance.TestQueue.TENANT;
import static io.leasehold.engine.maintenance.TestQueue.today;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.select;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ClaimJobsTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private static final Claimant CLAIMANT =
      new Claimant(WorkerId.random(), "default", Duration.ofMinutes(1), Set.of(), Set.of());
  private static final Lane LANE =
      new Lane(new TenantId(TENANT), (short) 0, new JobId(new UUID(0, 0)), 1);

  /** So no run seems to begin before its build has succeeded. */
  @Test
  void beginNoneBeforeItCame() throws SQLException {
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
}
