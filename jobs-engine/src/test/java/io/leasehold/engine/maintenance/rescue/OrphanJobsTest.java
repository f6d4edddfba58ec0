package io.leasehold.engine.maintenance.rescue;

import static io.leasehold.engine.maintenance.TestQueue.today;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.engine.work.claim.Adopting;
import io.leasehold.engine.work.lease.OrphanJobs;
import io.leasehold.engine.work.lease.OrphanJobs.Orphan;
import io.leasehold.engine.work.lease.ReleaseJobs;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobType;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Leases whose jobs go on without their workers. */
class OrphanJobsTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private static final JobType<String, String> TYPE =
      JobType.restartable(
          "gts.x.core.jobs.handler.v1~test.queue.some.job.v1", String.class, String.class);
  private static final JobType<String, String> ANOTHER =
      JobType.restartable(
          "gts.x.core.jobs.handler.v1~test.queue.another.job.v1", String.class, String.class);

  private final WorkerId worker = WorkerId.random();

  @Test
  void keepsAnAdoptableJobRunningWhenItsWorkerIsSilent() throws SQLException {
    var id = leased(2, -1);
    var token = token(id);

    assertThat(lost()).extracting(Orphan::queue).containsExactly("default");

    assertThat(queue.traces(id)).containsOnlyKeys("job", "lease", "attempt");
    assertThat(queue.ask("SELECT attempt FROM leasehold.lease WHERE worker_id IS NULL"))
        .containsExactly(2);
    assertThat(token(id)).isGreaterThan(token);
    assertThat(queue.ask("SELECT status || continues || token FROM leasehold.attempt"))
        .containsExactly("losttrue" + token);
  }

  @Test
  void leavesValidLeasesAndLeasesThatAreNotAdoptable() throws SQLException {
    leased(1, 30);
    queue.leased(today(), worker.value(), 1, "requeue", -1);

    assertThat(lost()).isEmpty();
  }

  @Test
  void isNotRescuedNorOrphanedAgain() throws SQLException {
    var id = leased(1, -1);
    lost();
    queue.run("UPDATE leasehold.lease SET locked_until = now() - interval '1 h'");

    assertThat(rescue()).isEmpty();
    assertThat(lost()).isEmpty();

    assertThat(queue.traces(id)).containsEntry("lease", 1L).containsEntry("attempt", 1L);
  }

  @Test
  void failsAJobThatLostTooManyWorkers() throws SQLException {
    var id = leased(1, -1);
    queue.run("UPDATE leasehold.lease SET workers_lost = 9");

    assertThat(lost()).isEmpty();
    assertThat(rescue()).hasSize(1);

    assertThat(queue.traces(id)).containsKey("outcome").doesNotContainKey("ready");
  }

  @Test
  void countsTheWorkersThatAnAttemptLost() throws SQLException {
    var id = leased(1, -1);
    for (var lost = 1; lost <= 3; lost++) {
      lost();
      adopt(TYPE);
      assertThat(queue.ask("SELECT workers_lost FROM leasehold.lease")).containsExactly(lost);
      queue.run("UPDATE leasehold.lease SET locked_until = now() - interval '1 s'");
    }

    assertThat(queue.traces(id)).containsEntry("attempt", 3L);
  }

  @Test
  void continuesWhenItsWorkerReleasesIt() throws SQLException {
    var id = leased(1, 30);

    assertThat(release(id, true)).isEqualTo(1);

    assertThat(queue.traces(id)).containsOnlyKeys("job", "lease", "attempt");
    assertThat(queue.ask("SELECT workers_lost FROM leasehold.lease WHERE worker_id IS NULL"))
        .containsExactly(0);
    assertThat(queue.ask("SELECT status FROM leasehold.attempt")).containsExactly("released");
  }

  @Test
  void isQueuedAgainIfItHasNotStarted() throws SQLException {
    var id = leased(1, 30);

    assertThat(release(id, false)).isEqualTo(1);

    assertThat(queue.traces(id)).containsOnlyKeys("job", "ready");
    assertThat(queue.ask("SELECT attempts FROM leasehold.ready")).containsExactly(0);
  }

  @Test
  void continuesIfAnEarlierWorkerHasStartedIt() throws SQLException {
    var id = leased(1, -1);
    lost();
    adopt(TYPE);

    assertThat(release(id, false)).isEqualTo(1);

    assertThat(queue.traces(id)).containsEntry("lease", 1L).containsEntry("attempt", 1L);
    assertThat(adopt(TYPE)).hasSize(1);
  }

  @Test
  void isAdoptedUnderTheSameAttemptAndANewToken() throws SQLException {
    var id = leased(2, -1);
    lost();
    var token = token(id);

    var adopted = adopt(TYPE);

    assertThat(adopted).extracting(ClaimedJob::id).containsExactly(new JobId(id));
    assertThat(adopted.getFirst().attempt()).isEqualTo(2);
    assertThat(adopted.getFirst().token()).isGreaterThan(token).isEqualTo(token(id));
    assertThat(adopted.getFirst().ranBefore().orElseThrow())
        .isBetween(Duration.ofMinutes(59), Duration.ofMinutes(65));
    assertThat(adopt(TYPE)).isEmpty();
  }

  @Test
  void keepsItsStartAndFirstTokenOverAdoptions() throws SQLException {
    var id = leased(2, -1);
    var first = token(id);
    for (var times = 0; times < 2; times++) {
      lost();

      var adopted = adopt(TYPE).getFirst();
      assertThat(adopted.firstToken()).isEqualTo(first);
      assertThat(adopted.ranBefore().orElseThrow()).isGreaterThan(Duration.ofMinutes(59));
      queue.run("UPDATE leasehold.lease SET locked_until = now() - interval '1 s'");
    }
  }

  @Test
  void isNotAdoptedByWorkersOfOtherHandlersOrQueues() throws SQLException {
    leased(1, -1);
    lost();

    assertThat(adopt(ANOTHER)).isEmpty();
    assertThat(adopt("another", TYPE)).isEmpty();
  }

  @Test
  void skipsALeaseThatIsBeingEnded() throws SQLException {
    var id = leased(1, -1);
    try (var engine = queue.asEngine()) {
      TestQueue.ask(engine, "SELECT id FROM leasehold.lease WHERE id = ? FOR UPDATE", id);

      assertThat(lost()).isEmpty();
      assertThat(release(id, true)).isZero();
    }
    assertThat(queue.traces(id)).containsOnlyKeys("job", "lease");
  }

  /** It is stored last. */
  @Test
  void theLeaseThatExpiredFirstIsTakenFirst() throws SQLException {
    var later = leased(1, -1);
    var first = leased(1, -60);

    var taken = queue.transactions().asEngine(tx -> OrphanJobs.lost(tx, 1));

    assertThat(taken).extracting(Orphan::id).containsExactly(new JobId(first));
    assertThat(queue.traces(later)).containsOnlyKeys("job", "lease");
  }

  /** It is stored last. */
  @Test
  void theJobThatLostItsWorkerFirstIsAdoptedFirst() throws SQLException {
    var later = leased(1, -1);
    var first = leased(1, -1);
    lost();
    queue.run("UPDATE leasehold.lease SET locked_until = now() WHERE id = ?", later);
    queue.run(
        "UPDATE leasehold.lease SET locked_until = now() - interval '1 min' WHERE id = ?", first);

    var adopted =
        queue
            .transactions()
            .asEngine(tx -> Adopting.adopt(tx, worker, "default", TYPE, Duration.ofMinutes(1), 1));

    assertThat(adopted).extracting(ClaimedJob::id).containsExactly(new JobId(first));
  }

  /** With the index on leases without a worker, a renewal still touches none. */
  @Test
  void renewalsUpdateNoIndex() throws SQLException {
    leased(1, 30);
    try (var engine = queue.asEngine()) {
      var renewed =
          TestQueue.ask(
              engine,
              "UPDATE leasehold.lease SET locked_until = now() + interval '1 min' RETURNING 1");
      var hot =
          TestQueue.ask(
              engine,
              """
              SELECT pg_stat_get_xact_tuples_hot_updated('leasehold.lease'::regclass)\
              """);

      assertThat(renewed).hasSize(1);
      assertThat(hot).containsExactly(1L);
    }
  }

  private UUID leased(int attempt, int seconds) throws SQLException {
    var id = queue.leased(today(), worker.value(), attempt, "adopt", seconds);
    queue.run("UPDATE leasehold.job SET handler_id = ?", TYPE.handler().value());
    return id;
  }

  private static long token(UUID id) throws SQLException {
    return (Long) queue.ask("SELECT token FROM leasehold.lease WHERE id = ?", id).getFirst();
  }

  private static List<Orphan> lost() {
    return queue.transactions().asEngine(tx -> OrphanJobs.lost(tx, 10));
  }

  private static List<RescueJobs.Rescued> rescue() {
    return queue.transactions().asEngine(tx -> RescueJobs.rescue(tx, 10));
  }

  private int release(UUID id, boolean begun) throws SQLException {
    var held = List.of(new HeldLease(new JobId(id), token(id)));
    return queue.transactions().asEngine(tx -> ReleaseJobs.release(tx, worker, held, begun));
  }

  private List<ClaimedJob> adopt(JobType<?, ?> type) {
    return adopt("default", type);
  }

  private List<ClaimedJob> adopt(String from, JobType<?, ?> type) {
    return queue
        .transactions()
        .asEngine(tx -> Adopting.adopt(tx, worker, from, type, Duration.ofMinutes(1)));
  }
}
