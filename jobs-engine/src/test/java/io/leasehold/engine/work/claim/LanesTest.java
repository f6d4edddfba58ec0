package io.leasehold.engine.work.claim;

import static io.leasehold.engine.maintenance.TestQueue.TENANT;
import static io.leasehold.engine.maintenance.TestQueue.today;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.engine.metrics.Measuring;
import io.leasehold.jobs.JobId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In which order the jobs of a queue are claimed. */
class LanesTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private static final UUID HEAVY = new UUID(0, 2);
  private static final int JOBS = 400;

  private final Claimant claimant =
      new Claimant(WorkerId.random(), "default", Duration.ofMinutes(1), Set.of(), Set.of());
  private final Lanes lanes = new Lanes(queue.transactions(), claimant, Measuring.claims());

  /** The others came first, wait longer and are more. */
  @Test
  void theHighestPriorityOfATenantIsClaimedFirst() throws SQLException {
    for (int i = 0; i < 5; i++) {
      ready(TENANT, 0, 10 + i);
      ready(TENANT, -7, i);
    }
    var high = ready(TENANT, 7, 99);

    assertThat(next()).isEqualTo(high);
    assertThat(queue.ask("SELECT priority::int FROM leasehold.ready ORDER BY 1 DESC LIMIT 1"))
        .containsExactly(0);
  }

  @Test
  void lowerPrioritiesFollowInTheirOrder() throws SQLException {
    var low = ready(TENANT, -1_000, 1);
    var ordinary = ready(TENANT, 0, 2);
    var high = ready(TENANT, 1_000, 3);

    assertThat(List.of(next(), next(), next())).containsExactly(high, ordinary, low);
  }

  /** The younger one is stored first. */
  @Test
  void theOldestOfAPriorityIsClaimedFirst() throws SQLException {
    var younger = ready(TENANT, 3, 2);
    var older = ready(TENANT, 3, 1);

    assertThat(List.of(next(), next())).containsExactly(older, younger);
  }

  /** Also where there is room for one job at a time, as in a queue whose slots are all taken. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 8, 50})
  void tenantsGetTurnsByTheirWeights(int room) throws SQLException {
    queue.run(
        "INSERT INTO leasehold.tenant_queue (tenant_id, queue, weight) VALUES (?, 'default', 3)",
        HEAVY);
    readyMany(TENANT);
    readyMany(HEAVY);

    var claimed = new ArrayList<JobId>();
    while (claimed.size() < JOBS) {
      claimed.addAll(claim(room));
    }

    var heavy = ofTenant(claimed, HEAVY);
    assertThat(heavy / (double) (claimed.size() - heavy)).isCloseTo(3, withPercentage(5));
  }

  /** Has no more than its turn, though it comes back again and again, and others have a backlog. */
  @Test
  void aTenantThatSubmitsFewJobsAtATimeGetsNoMoreThanItsWeight() throws SQLException {
    queue.run(
        "INSERT INTO leasehold.tenant_queue (tenant_id, queue, weight) VALUES (?, 'default', 3)",
        HEAVY);
    readyMany(HEAVY);

    var claimed = new ArrayList<JobId>();
    for (int i = 0; claimed.size() < JOBS / 4; i++) {
      if (queue.ask("SELECT id FROM leasehold.ready WHERE tenant_id = ?", TENANT).isEmpty()) {
        ready(TENANT, 0, i);
        lanes.lookAgain();
      }
      claimed.addAll(claim(1));
    }

    var heavy = ofTenant(claimed, HEAVY);
    assertThat(heavy / (double) (claimed.size() - heavy)).isCloseTo(3, withPercentage(5));
  }

  /** It saved nothing up while others worked. */
  @Test
  void aLateTenantGetsItsTurnsAndNoMore() throws SQLException {
    readyMany(HEAVY);
    for (int i = 0; i < JOBS / 4; i++) {
      claim(1);
    }
    readyMany(TENANT);
    lanes.lookAgain();

    var claimed = new ArrayList<JobId>();
    for (int i = 0; i < 20; i++) {
      claimed.addAll(claim(1));
    }

    assertThat(ofTenant(claimed, HEAVY)).isEqualTo(10);
  }

  /** These have the lower ids. */
  @Test
  void aTenantThatWaitsIsServedBeforeNewTenantsThatKeepComing() throws SQLException {
    var waiting = ready(new UUID(0, 100), 0, 99);

    var claimed = new ArrayList<JobId>();
    for (int tenant = 9; tenant > 6; tenant--) {
      ready(new UUID(0, tenant), 0, 1);
      lanes.lookAgain();
      claimed.addAll(claim(1));
    }

    assertThat(claimed).contains(waiting);
  }

  @Test
  void turnsStartEvenAfterTheQueueWasEmpty() throws SQLException {
    for (int i = 0; i < 10; i++) {
      ready(HEAVY, 0, i);
      lanes.lookAgain();
      claim(1);
    }
    lanes.lookAgain();
    assertThat(claim(1)).isEmpty();
    readyMany(HEAVY);
    readyMany(TENANT);
    lanes.lookAgain();

    var claimed = new ArrayList<JobId>();
    for (int i = 0; i < 10; i++) {
      claimed.addAll(claim(1));
    }

    assertThat(ofTenant(claimed, HEAVY)).isEqualTo(5);
  }

  @Test
  void aNewJobOfTheTenantWithTheLowestIdIsClaimed() throws SQLException {
    var job = ready(new UUID(0, 0), 0, 1);

    assertThat(next()).isEqualTo(job);
  }

  /** More of them than a look finds lanes, and each has more jobs than its turns bring. */
  @Test
  void everyTenantGetsATurnHoweverManyHaveABacklog() throws SQLException {
    var tenants = 1_100;
    backlog(tenants, 5);

    for (int i = 0; i < 3; i++) {
      lanes.lookAgain();
      claim(1_000);
    }

    assertThat(queue.ask("SELECT count(DISTINCT tenant_id) FROM leasehold.lease"))
        .containsExactly((long) tenants);
  }

  @Test
  void aTenantWithManyPrioritiesGetsNoMoreTurns() throws SQLException {
    readyOfPriorities(TENANT, -50, 50);
    readyMany(HEAVY);

    var claimed = claim(10);

    assertThat(ofTenant(claimed, HEAVY)).isEqualTo(5);
  }

  /** More of them than a look finds lanes. */
  @Test
  void theOnlyTenantIsServedByEachClaim() throws SQLException {
    readyOfPriorities(TENANT, -500, 500);

    for (int i = 0; i < 3; i++) {
      lanes.lookAgain();
      assertThat(claim(1)).hasSize(1);
    }
  }

  /** It has the lower id, and more lanes than a look finds. */
  @Test
  void aTenantWithManyPrioritiesDelaysNoOther() throws SQLException {
    readyOfPriorities(TENANT, -500, 500);
    var job = ready(HEAVY, 0, 99);

    var claimed = new ArrayList<JobId>();
    for (int i = 0; i < 3; i++) {
      lanes.lookAgain();
      claimed.addAll(claim(1));
    }

    assertThat(claimed).contains(job);
  }

  // A claim may find a lane exhausted; the next one reads the lanes again.
  private JobId next() {
    var claimed = claim(1);
    return claimed.isEmpty() ? claim(1).getFirst() : claimed.getFirst();
  }

  private List<JobId> claim(int room) {
    return lanes.claim(room).jobs().stream().map(ClaimedJob::id).toList();
  }

  private static long ofTenant(List<JobId> jobs, UUID tenant) throws SQLException {
    var ids =
        queue.ask("SELECT id FROM leasehold.job WHERE tenant_id = ?", tenant).stream()
            .map(id -> new JobId((UUID) id))
            .collect(Collectors.toSet());
    return jobs.stream().filter(ids::contains).count();
  }

  // A job of the tenant that was submitted at that millisecond of the day.
  private static JobId ready(UUID tenant, int priority, int millis) throws SQLException {
    var day = TestQueue.idOf(today());
    var id =
        new UUID(
            day.getMostSignificantBits() + ((long) millis << 16), day.getLeastSignificantBits());
    queue.run(
        """
        INSERT INTO leasehold.job (tenant_id, id, handler_id, input, queue, priority, max_attempts,
          principal) VALUES (?, ?, 'handler', '{}', 'default', ?, 3, 'ann')\
        """,
        tenant,
        id,
        priority);
    queue.run(
        """
        INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at)
        VALUES (?, ?, 'default', ?, 0, now())\
        """,
        tenant,
        id,
        priority);
    return new JobId(id);
  }

  private static void readyOfPriorities(UUID tenant, int lowest, int highest) throws SQLException {
    queue.run(
        """
        WITH stored AS (
          INSERT INTO leasehold.job (tenant_id, id, handler_id, input, queue, priority,
            max_attempts, principal)
          SELECT ?, leasehold.new_id(), 'handler', '{}', 'default', priority, 3, 'ann'
          FROM generate_series(?, ?) AS priority
          RETURNING *)
        INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at)
        SELECT tenant_id, id, queue, priority, 0, now() FROM stored\
        """,
        tenant,
        lowest,
        highest);
  }

  private static void backlog(int tenants, int jobs) throws SQLException {
    queue.run(
        """
        WITH stored AS (
          INSERT INTO leasehold.job (tenant_id, id, handler_id, input, queue, priority,
            max_attempts, principal)
          SELECT lpad(to_hex(tenant), 32, '0')::uuid, leasehold.new_id(), 'handler', '{}',
            'default', 0, 3, 'ann'
          FROM generate_series(1, ?) AS tenant, generate_series(1, ?)
          RETURNING *)
        INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at)
        SELECT tenant_id, id, queue, priority, 0, now() FROM stored\
        """,
        tenants,
        jobs);
  }

  private static void readyMany(UUID tenant) throws SQLException {
    queue.run(
        """
        WITH stored AS (
          INSERT INTO leasehold.job (tenant_id, id, handler_id, input, queue, priority,
            max_attempts, principal)
          SELECT ?, leasehold.new_id(), 'handler', '{}', 'default', 0, 3, 'ann'
          FROM generate_series(1, ?)
          RETURNING *)
        INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at)
        SELECT tenant_id, id, queue, priority, 0, now() FROM stored\
        """,
        tenant,
        JOBS);
  }
}
