package io.leasehold.engine.maintenance.retention;

import static io.leasehold.engine.maintenance.TestQueue.today;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.engine.maintenance.retention.DropDay.Drop;
import io.leasehold.engine.maintenance.retention.PruneJobs.Which;
import io.leasehold.jobs.JobsException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PruneDaysTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private static final Duration RETENTION = Duration.ofDays(14);
  private static final LocalDate OLD = today().minusDays(20);
  private static final String RETRY =
      "SELECT coalesce(max(status), 'unknown') FROM leasehold.retry(?)";

  private final PruneDays pruneDays = new PruneDays(queue.transactions());

  @BeforeEach
  void aDayOfOld() throws SQLException {
    queue.prepare(OLD);
  }

  @Test
  void dropsAnEndedDayWithAllItsRows() throws SQLException {
    var plain = queue.ended(OLD, "succeeded", 15);
    var furnished = queue.ended(OLD, "failed", 15);
    queue.furnish(furnished);
    queue.request(plain, false, 60);

    pruneDays.prune(RETENTION);

    assertThat(queue.traces(plain)).isEmpty();
    assertThat(queue.traces(furnished)).isEmpty();
    assertThat(partitionsOf(OLD)).isEmpty();
    assertThat(queue.ask("SELECT day FROM leasehold.partition_day WHERE day = ?", OLD)).isEmpty();
  }

  @Test
  void keepsADayWithARunningJobAndRemovesTheOtherJobs() throws SQLException {
    assertKeptFor(queue.leased(OLD, UUID.randomUUID(), 1, "requeue", 60));
  }

  @Test
  void keepsADayForAJobThatMayBeClaimed() throws SQLException {
    assertKeptFor(queue.ready(OLD));
  }

  @Test
  void keepsADayForAJobThatIsDueLater() throws SQLException {
    assertKeptFor(queue.scheduled(OLD, 60_000));
  }

  @Test
  void keepsADayForAJobThatWaitsForOthers() throws SQLException {
    assertKeptFor(queue.waiting(OLD));
  }

  @Test
  void keepsADayForAJobThatEndedALittleLessThanARetentionAgo() throws SQLException {
    assertKeptFor(queue.ended(OLD, "succeeded", 13));
  }

  @Test
  void keepsADayForAJobInAnUnknownTable() throws SQLException {
    assertKeptFor(queue.job(OLD));
  }

  @Test
  void leavesAYoungDay() throws SQLException {
    var id = queue.ended(today(), "succeeded", 15);

    pruneDays.prune(RETENTION);

    assertThat(queue.traces(id)).containsOnlyKeys("job", "outcome");
  }

  @Test
  void removesOldJobsOfDaysWithoutPartitions() throws SQLException {
    var before = queue.ended(OLD.minusDays(5), "succeeded", 15);
    queue.furnish(before);
    var between = queue.ended(OLD.plusDays(2), "succeeded", 15);
    var young = queue.ended(OLD.plusDays(2), "succeeded", 13);
    var unfinished = queue.ready(OLD.plusDays(2));

    pruneDays.prune(RETENTION);

    assertThat(queue.traces(before)).isEmpty();
    assertThat(queue.traces(between)).isEmpty();
    assertThat(queue.traces(young)).containsOnlyKeys("job", "outcome");
    assertThat(queue.traces(unfinished)).containsOnlyKeys("job", "ready");
  }

  @Test
  void removesMoreThanOneBatch() throws SQLException {
    queue.job(OLD);
    queue.run(
        """
        WITH ids AS (
          SELECT overlay(gen_random_uuid()::text PLACING left(leasehold.first_id_of(?)::text, 15)
            FROM 1)::uuid AS id FROM generate_series(1, 2500)),
        asked AS (
          INSERT INTO leasehold.job (tenant_id, id, handler_id, input, queue, priority,
            max_attempts, principal)
          SELECT ?, id, 'handler', '{}', 'default', 0, 3, 'ann' FROM ids)
        INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, attempts)
        SELECT ?, id, 'succeeded', now() - interval '15 days', 1 FROM ids\
        """,
        OLD,
        TestQueue.TENANT,
        TestQueue.TENANT);

    pruneDays.prune(RETENTION);

    assertThat(queue.ask("SELECT count(*) FROM leasehold.job")).containsExactly(1L);
    assertThat(queue.ask("SELECT count(*) FROM leasehold.outcome")).containsExactly(0L);
  }

  @Test
  void noMoreJobsAreRemovedByAStatementThanItsLimit() throws SQLException {
    queue.ended(OLD, "succeeded", 15);
    queue.ended(OLD, "succeeded", 15);
    var range = IdRange.ofDays(OLD, OLD.plusDays(1));

    var removed =
        queue.transactions().asEngine(tx -> PruneJobs.prune(tx, range, RETENTION, Which.ALL, 1));

    assertThat(removed).isEqualTo(1);
    assertThat(queue.ask("SELECT count(*) FROM leasehold.job")).containsExactly(1L);
  }

  @Test
  void freesTheKeysOfRemovedJobs() throws SQLException {
    var id = queue.ended(OLD, "succeeded", 15);
    queue.furnish(id);

    pruneDays.prune(RETENTION);

    try (var tenant = queue.asTenant()) {
      assertThat(
              TestQueue.ask(
                  tenant,
                  """
                  SELECT repeated FROM leasehold.submit_all(?, 'default', 0::smallint,
                    1::smallint, NULL, 0, 'ann', NULL, ARRAY['{}'::json], NULL, ARRAY[?])\
                  """,
                  TestQueue.HANDLER,
                  "key " + id))
          .containsExactly(false);
    }
  }

  @Test
  void leavesTenantsIsolated() throws SQLException {
    assertThat(queue.ask("SELECT object FROM leasehold.isolation_findings()")).isEmpty();

    pruneDays.prune(RETENTION);

    assertThat(queue.ask("SELECT object FROM leasehold.isolation_findings()")).isEmpty();
  }

  @Test
  void neverDropsJobsYoungerThanADay() {
    assertThatThrownBy(() -> drop(OLD, Duration.ofHours(23))).isInstanceOf(JobsException.class);
  }

  private void assertKeptFor(UUID kept) throws SQLException {
    var over = queue.ended(OLD, "succeeded", 15);
    queue.furnish(over);
    var traces = queue.traces(kept);

    pruneDays.prune(RETENTION);

    assertThat(queue.traces(over)).isEmpty();
    assertThat(queue.traces(kept)).isEqualTo(traces);
    assertThat(partitionsOf(OLD)).hasSize(2);
  }

  /** Each order of the two is forced: one has done its work, and has not committed. */
  @Nested
  class BesideATenant {

    @Test
    void leavesADayWithAJobThatIsBeingRetried() throws SQLException {
      var id = queue.ended(OLD, "failed", 15);
      queue.furnish(id);
      try (var tenant = queue.asTenant()) {
        assertThat(call(tenant, RETRY, id)).containsExactly("queued");

        assertThat(drop(OLD, RETENTION)).isEqualTo(Drop.BUSY);

        tenant.commit();
      }
      assertThat(drop(OLD, RETENTION)).isEqualTo(Drop.KEPT);
      assertThat(queue.traces(id))
          .containsOnlyKeys(
              "job",
              "waiting", // for a job that is gone
              "dependency",
              "batch_job",
              "attempt",
              "job_key",
              "progress",
              "event",
              "step",
              "checkpoint",
              "output",
              "mirror_record");
    }

    @Test
    void leavesAJobThatIsBeingRetried() throws SQLException {
      var id = queue.ended(OLD, "failed", 15);
      queue.furnish(id);
      try (var tenant = queue.asTenant()) {
        assertThat(call(tenant, RETRY, id)).containsExactly("queued");

        pruneDays.prune(RETENTION);

        tenant.commit();
      }
      assertThat(queue.traces(id))
          .containsOnlyKeys(
              "job",
              "waiting", // for a job that is gone
              "dependency",
              "batch_job",
              "attempt",
              "job_key",
              "progress",
              "event",
              "step",
              "checkpoint",
              "output",
              "mirror_record");
    }

    @Test
    void aConcurrentRetryWaitsAndFindsNoJob() throws Exception {
      var id = queue.ended(OLD, "failed", 15);

      assertThat(retryDuring(id, "SELECT leasehold.drop_day(?, interval '14 days')", true))
          .containsExactly("unknown");

      assertThat(queue.traces(id)).isEmpty();
    }

    @Test
    void aConcurrentRetryWaitsWhileTheDayIsChecked() throws Exception {
      var id = queue.ended(OLD, "failed", 15);

      assertThat(retryDuring(id, "SELECT leasehold.empty_day(?, interval '14 days')", true))
          .containsExactly("queued");

      assertThat(queue.traces(id)).containsOnlyKeys("job", "ready", "attempt", "event");
    }

    @Test
    void losesNothingWhenTheDropIsGivenUp() throws Exception {
      var id = queue.ended(OLD, "failed", 15);
      queue.furnish(id);

      assertThat(retryDuring(id, "SELECT leasehold.drop_day(?, interval '14 days')", false))
          .containsExactly("queued");

      assertThat(queue.traces(id))
          .containsOnlyKeys(
              "job",
              "waiting", // for a job that is gone
              "dependency",
              "batch_job",
              "attempt",
              "job_key",
              "progress",
              "event",
              "step",
              "checkpoint",
              "output",
              "mirror_record");
    }

    @Test
    void givesUpSoonWhenATransactionStaysOpen() throws SQLException {
      var id = queue.ended(OLD, "failed", 15);
      queue.furnish(id);
      try (var tenant = queue.asTenant()) {
        TestQueue.ask(tenant, "SELECT count(*) FROM leasehold.job_status_v");

        assertThat(drop(OLD, RETENTION)).isEqualTo(Drop.BUSY);
      }
      assertThat(queue.traces(id)).hasSize(13);
    }

    @Test
    void triesToDropADayForADay() throws SQLException {
      var day = today().minusDays(15);
      queue.prepare(day);
      var plain = queue.ended(day, "succeeded", 15);
      var furnished = queue.ended(day, "succeeded", 15);
      queue.furnish(furnished);
      try (var tenant = queue.asTenant()) {
        TestQueue.ask(tenant, "SELECT count(*) FROM leasehold.job_status_v");

        pruneDays.prune(RETENTION);
      }
      assertThat(queue.traces(plain)).containsOnlyKeys("job", "outcome");
      assertThat(queue.traces(furnished)).isEmpty();
    }

    @Test
    void removesJobsOneByOneIfADayCannotBeDropped() throws SQLException {
      var id = queue.ended(OLD, "succeeded", 15);
      try (var tenant = queue.asTenant()) {
        TestQueue.ask(tenant, "SELECT count(*) FROM leasehold.job_status_v");

        pruneDays.prune(RETENTION);
      }
      assertThat(queue.traces(id)).isEmpty();
      assertThat(partitionsOf(OLD)).hasSize(2);
    }

    private List<Object> retryDuring(UUID id, String drop, boolean commit) throws Exception {
      try (var executor = Executors.newVirtualThreadPerTaskExecutor();
          var engine = queue.asEngine();
          var tenant = queue.asTenant()) {
        TestQueue.ask(engine, drop, OLD);
        var waiting = CompletableFuture.supplyAsync(() -> call(tenant, RETRY, id), executor);
        await().until(() -> queue.isWaitedFor(engine));
        if (commit) {
          engine.commit();
        } else {
          engine.rollback();
        }
        var answer = waiting.join();
        tenant.commit();
        return answer;
      }
    }
  }

  private static Drop drop(LocalDate day, Duration retention) {
    return queue.transactions().asEngine(tx -> DropDay.drop(tx, day, retention));
  }

  private static List<Object> call(Connection tenant, String sql, UUID id) {
    try {
      return TestQueue.ask(tenant, sql, id);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Object> partitionsOf(LocalDate day) throws SQLException {
    return queue.ask(
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE '%' || ?",
        day.format(DateTimeFormatter.BASIC_ISO_DATE));
  }
}
