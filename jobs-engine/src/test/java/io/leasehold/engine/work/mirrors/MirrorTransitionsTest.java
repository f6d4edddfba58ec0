package io.leasehold.engine.work.mirrors;

import static io.leasehold.engine.maintenance.TestQueue.TENANT;
import static io.leasehold.engine.work.mirrors.MirroredQueue.CALLER;
import static io.leasehold.engine.work.mirrors.ToolRuns.RUNS;
import static io.leasehold.engine.work.mirrors.ToolRuns.STRICT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.engine.work.lease.PutOff;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.WhenLost;
import io.leasehold.jobs.spi.MirrorTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A record has its job's state after each transaction that changes the job. */
class MirrorTransitionsTest {

  @RegisterExtension static final TestQueue queue = new TestQueue(ToolRuns.SCRIPT);

  private Administrator administrator;
  private ToolRuns runs;
  private MirroredQueue work;
  private UUID record;

  @BeforeAll
  static void requireNothing() throws SQLException {
    assertThat(queue.ask("SELECT problem FROM leasehold.isolation_findings()")).isEmpty();
  }

  @BeforeEach
  void insert() throws SQLException {
    administrator = new Administrator(queue);
    runs = new ToolRuns(administrator);
    work = new MirroredQueue(queue, administrator, "mirrored", WhenLost.REQUEUE);
    record = runs.insert();
  }

  @AfterEach
  void close() throws SQLException {
    administrator.close();
  }

  private JobRequest<String, String> request() {
    return work.type().request("").mirroredBy(RUNS, record);
  }

  private JobId submitted() {
    return work.jobs().submit(CALLER, request()).jobId();
  }

  private ClaimedJob claimed() {
    submitted();
    return work.claim(1).getFirst();
  }

  private void assertRecord(String expected) throws SQLException {
    assertThat(runs.differences()).isEmpty();
    assertThat(runs.read(record)).isEqualTo(expected);
    assertThat(queue.ask("SELECT record_id FROM leasehold.mirror_behind")).isEmpty();
  }

  @Test
  void aSubmissionQueuesTheRecord() throws SQLException {
    submitted();

    assertRecord("queued f f");
    assertThat(queue.ask("SELECT requested_at IS NULL FROM acme.tool_run WHERE id = ?", record))
        .containsExactly(false);
  }

  @Test
  void aDelayedJobsRecordIsQueued() throws SQLException {
    work.jobs().submit(CALLER, request().delay(Duration.ofHours(1)));

    assertRecord("queued f f");
    work.move();
    assertRecord("queued f f");
  }

  @Test
  void aClaimStartsTheRecord() throws SQLException {
    claimed();

    assertRecord("running t f");
  }

  @ParameterizedTest
  @EnumSource(names = {"SUCCEEDED", "FAILED", "TIMED_OUT", "CANCELLED"})
  void anEndFinishesTheRecord(JobStatus status) throws SQLException {
    work.end(claimed(), status);

    assertRecord(status.word() + " t t" + (status == JobStatus.SUCCEEDED ? "" : " no luck"));
  }

  @Test
  void aTransactionalEndFinishesTheRecord() throws SQLException {
    work.finish(claimed());

    assertRecord("succeeded t t");
  }

  @Test
  void aJobThatWaitsForItsNextAttemptIsQueuedAgain() throws SQLException {
    work.tryAgain(claimed());
    assertRecord("queued t f");

    work.move();
    work.claim(1);
    assertRecord("running t f");
  }

  @ParameterizedTest
  @EnumSource
  void aJobThatIsPutOffIsQueuedAgain(PutOff why) throws SQLException {
    work.putOff(claimed(), why);

    assertThat(runs.read(record)).startsWith("queued ");
    assertThat(runs.differences()).isEmpty();
  }

  @Test
  void aReleasedJobIsQueuedAgain() throws SQLException {
    work.release(claimed(), true);
    assertRecord("queued t f");
  }

  @Test
  void aJobThatIsReleasedBeforeItsStartHasNotStarted() throws SQLException {
    work.release(claimed(), false);
    assertRecord("queued f f");
  }

  @Test
  void aRescuedJobIsQueuedAgain() throws SQLException {
    work.expire(claimed().id());

    work.rescue();

    assertRecord("queued t f");
  }

  @Test
  void aJobThatFailsWithItsWorkerFailsTheRecord() throws SQLException {
    var once = new MirroredQueue(queue, administrator, "once", WhenLost.FAIL);
    once.jobs().submit(CALLER, once.type().request("").maxAttempts(1).mirroredBy(RUNS, record));
    once.expire(once.claim(1).getFirst().id());

    once.rescue();

    assertRecord("failed t t the worker, no longer registered, was lost during attempt 1");
  }

  @Test
  void anOrphanKeepsRunningUntilItIsAdoptedAndEnds() throws SQLException {
    var lasting = new MirroredQueue(queue, administrator, "lasting", WhenLost.ADOPT);
    lasting.jobs().submit(CALLER, lasting.type().request("").mirroredBy(RUNS, record));
    lasting.expire(lasting.claim(1).getFirst().id());
    lasting.rescue();
    assertRecord("running t f");

    lasting.end(lasting.adopt().getFirst(), JobStatus.SUCCEEDED);
    assertRecord("succeeded t t");
  }

  @Test
  void aJobThatIsCancelledBeforeItRunsCancelsTheRecord() throws SQLException {
    work.jobs().cancel(CALLER, submitted());

    assertRecord("cancelled f t");
  }

  @Test
  void aCancelledJobThatIsQueuedAgainCancelsTheRecord() throws SQLException {
    var job = claimed();
    work.jobs().cancel(CALLER, job.id());
    work.tryAgain(job);
    assertRecord("queued t f");

    work.followCancels();
    assertRecord("cancelled t t");
  }

  @Test
  void aRetryQueuesTheRecordAgain() throws SQLException {
    var job = claimed();
    work.end(job, JobStatus.FAILED);

    work.jobs().retry(CALLER, job.id());

    assertRecord("queued t f");
    work.claim(1);
    assertRecord("running t f");
  }

  @Test
  void aRecordKeepsItsStateWhenItsEndedJobIsDeleted() throws SQLException {
    var job = claimed();
    work.end(job, JobStatus.FAILED);

    work.jobs().delete(CALLER, job.id());

    assertRecord("failed t t no luck");
    assertThat(queue.ask("SELECT id FROM leasehold.mirror_record")).isEmpty();
  }

  @Test
  void aDeletedJobThatNeverRanCancelsTheRecord() throws SQLException {
    work.jobs().delete(CALLER, submitted());

    assertRecord("cancelled f t the job was deleted before it ended");
    assertThat(queue.ask("SELECT id FROM leasehold.mirror_record")).isEmpty();
  }

  @Test
  void aJobThatIsDeletedByForceFailsTheRecord() throws SQLException {
    var job = claimed();
    work.jobs().forceDelete(CALLER, job.id());
    work.endRemoved(job);
    assertRecord("failed t t cancelled");

    work.followCancels();

    assertThat(queue.traces(job.id().value())).isEmpty();
    assertRecord("failed t t cancelled");
  }

  @Test
  void aRecordKeepsItsStateWhenItsJobIsPruned() throws SQLException {
    var job = claimed();
    work.end(job, JobStatus.SUCCEEDED);

    work.prune();

    assertThat(queue.traces(job.id().value())).isEmpty();
    assertRecord("succeeded t t");
  }

  @Test
  void aFailedDependencyFailsTheRecord() throws SQLException {
    var first = work.jobs().submit(CALLER, work.type().request("")).jobId();
    work.jobs().submit(CALLER, request().after(first));
    assertRecord("queued f f");

    work.end(work.claim(1).getFirst(), JobStatus.FAILED);

    assertRecord("failed f t job %s (%s) failed: no luck".formatted(first, work.type().handler()));
  }

  @Test
  void aDependentThatStartsRunsInTheRecord() throws SQLException {
    var first = work.jobs().submit(CALLER, work.type().request("")).jobId();
    work.jobs().submit(CALLER, request().after(first));
    work.end(work.claim(1).getFirst(), JobStatus.SUCCEEDED);
    assertRecord("queued f f");

    work.claim(1);

    assertRecord("running t f");
  }

  @Test
  void manyRecordsAreWrittenWithOneBatch() throws SQLException {
    var records = List.of(runs.insert(), runs.insert(), runs.insert());
    var requests = records.stream().map(record -> work.type().request("").mirroredBy(RUNS, record));
    work.jobs().submitAll(CALLER, requests.toList());

    assertThat(work.claim(3)).hasSize(3);

    assertThat(runs.differences()).isEmpty();
    for (var record : records) {
      assertThat(runs.read(record)).isEqualTo("running t f");
    }
  }

  @Test
  void severalRecordsMirrorOneJob() throws SQLException {
    var first = work.jobs().submit(CALLER, request().key("once")).jobId();
    work.claim(1);
    var former = record;
    record = runs.insert();

    var again = work.jobs().submit(CALLER, request().key("once"));

    assertThat(again.repeated()).isTrue();
    assertThat(again.jobId()).isEqualTo(first);
    assertThat(runs.read(record)).isEqualTo("running t f");
    work.jobs().cancel(CALLER, first);
    work.catchUp();
    assertRecord("running t f");
    assertThat(runs.read(former)).isEqualTo("running t f");
  }

  /** The job was claimed, and its worker does not know that there is a record. */
  @Test
  void aRecordIsAttachedToARunningJobThatHadNone() throws SQLException {
    work.jobs().submit(CALLER, work.type().request("").key("late"));
    var job = work.claim(1).getFirst();

    work.jobs().submit(CALLER, request().key("late").reuse());
    assertThat(runs.read(record)).isEqualTo("running t f");
    work.catchUp();
    work.end(job, JobStatus.SUCCEEDED);
    assertThat(runs.read(record)).isEqualTo("succeeded t t");
    work.catchUp();

    assertRecord("succeeded t t");
  }

  @Test
  void aRecordFollowsTheNextJobOnceItsJobHasEnded() throws SQLException {
    var first = claimed();
    work.end(first, JobStatus.FAILED);

    submitted();
    assertRecord("queued f f");

    // The former job lives on without a record.
    work.jobs().retry(CALLER, first.id());
    assertRecord("queued f f");
  }

  @Test
  void aRecordOfAnUnfinishedJobIsRefused() throws SQLException {
    var first = submitted();

    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(this::submitted)
        .withMessageContaining("record %s mirrors job %s".formatted(record, first))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.MIRROR_BUSY));

    assertThat(queue.ask("SELECT id FROM leasehold.job")).containsExactly(first.value());
    assertRecord("queued f f");
  }

  @Test
  void anotherTenantsRecordIsRefused() throws SQLException {
    record = runs.insert(new UUID(0, 2));

    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(this::submitted)
        .withMessageContaining("the tenant has no record " + record)
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.MIRROR_UNKNOWN));

    assertThat(queue.ask("SELECT id FROM leasehold.job")).isEmpty();
    assertThat(runs.read(record)).isEqualTo("new f f");
  }

  /** The ids of records may be the same in two tenants. */
  @Test
  void anotherTenantsRecordWithTheSameIdIsNotTouched() throws SQLException {
    queue.run(
        "INSERT INTO acme.tool_run (tenant_id, id, tool) VALUES (?, ?, 'other')",
        new UUID(0, 2),
        record);

    work.end(claimed(), JobStatus.SUCCEEDED);

    assertThat(
            queue.ask(
                "SELECT tenant_id || status FROM acme.tool_run WHERE id = ? ORDER BY 1", record))
        .containsExactly(TENANT + "succeeded", new UUID(0, 2) + "new");
  }

  @Test
  void aTableThatIsNotDeclaredIsRefused() {
    var request = work.type().request("").mirroredBy(MirrorTable.named("acme.other"), record);

    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> work.jobs().submit(CALLER, request))
        .withMessageContaining("there is no mirror \"acme.other\"")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.MIRROR_UNKNOWN));
  }

  /** A statement that waited for the lock would wait ten seconds. */
  @Test
  @Timeout(18)
  void aLockedRecordDelaysNothingAndIsUpdatedLater() throws SQLException {
    submitted();
    var free = runs.insert();
    work.jobs().submit(CALLER, work.type().request("").mirroredBy(RUNS, free));
    try (var tenant = lock(record)) {
      var jobs = work.claim(2);
      assertThat(jobs).hasSize(2);
      assertThat(runs.read(free)).isEqualTo("running t f");
      for (var job : jobs) {
        assertThat(work.end(job, JobStatus.SUCCEEDED)).isTrue();
      }
      assertThat(runs.read(free)).isEqualTo("succeeded t t");
      work.catchUp();
      assertThat(runs.read(record)).isEqualTo("queued f f");
      assertThat(queue.ask("SELECT DISTINCT record_id FROM leasehold.mirror_behind"))
          .containsExactly(record);
      tenant.rollback();
    }

    work.catchUp();

    assertRecord("succeeded t t");
  }

  @Test
  void aLockedRecordIsUpdatedEvenIfItsJobIsRemoved() throws SQLException {
    var job = claimed();
    try (var tenant = lock(record)) {
      work.end(job, JobStatus.FAILED);
      work.jobs().delete(CALLER, job.id());
      tenant.rollback();
    }
    assertThat(runs.read(record)).isEqualTo("running t f");

    work.catchUp();

    assertRecord("failed t t no luck");
  }

  /** A statement that waited for the lock would wait ten seconds. */
  @Test
  @Timeout(18)
  void aLockedTableDelaysNothing() throws SQLException {
    submitted();
    try (var tenant = queue.asTenant();
        var statement = tenant.createStatement()) {
      statement.execute("LOCK TABLE acme.tool_run IN ACCESS EXCLUSIVE MODE");
      var job = work.claim(1).getFirst();
      assertThat(work.end(job, JobStatus.SUCCEEDED)).isTrue();
      tenant.rollback();
    }

    work.catchUp();

    assertRecord("succeeded t t");
  }

  private static Connection lock(UUID record) throws SQLException {
    var tenant = queue.asTenant();
    TestQueue.ask(tenant, "SELECT id FROM acme.tool_run WHERE id = ? FOR UPDATE", record);
    return tenant;
  }

  @Test
  void aTableThatRefusesAChangeFailsNoJobAndIsTriedAgain() throws SQLException {
    var strict = strict(true);
    var lax = strict(false);
    var jobs = work.claim(2);
    assertThat(states(strict, lax)).containsExactly("running", "running");

    for (var job : jobs) {
      assertThat(work.end(job, JobStatus.SUCCEEDED)).isTrue();
    }

    assertThat(states(strict, lax)).containsExactly("running", "succeeded");
    work.catchUp();
    assertThat(queue.ask("SELECT record_id FROM leasehold.mirror_behind WHERE tries > 0"))
        .containsExactly(strict);
    queue.run("UPDATE acme.strict_run SET strict = false WHERE id = ?", strict);
    work.catchUp();
    assertThat(states(strict, lax)).containsExactly("succeeded", "succeeded");
    assertThat(queue.ask("SELECT record_id FROM leasehold.mirror_behind")).isEmpty();
  }

  private UUID strict(boolean strict) throws SQLException {
    var id = UUID.randomUUID();
    queue.run("INSERT INTO acme.strict_run VALUES (?, ?, ?)", TENANT, id, strict);
    work.jobs().submit(CALLER, work.type().request("").mirroredBy(STRICT, id));
    return id;
  }

  private static List<Object> states(UUID strict, UUID lax) throws SQLException {
    return List.of(
        queue.ask("SELECT state FROM acme.strict_run WHERE id = ?", strict).getFirst(),
        queue.ask("SELECT state FROM acme.strict_run WHERE id = ?", lax).getFirst());
  }

  @Test
  void aJobWithoutAMirrorIsNotMarked() throws SQLException {
    work.jobs().submit(CALLER, work.type().request(""));
    submitted();
    work.jobs().submit(CALLER, work.type().request(""));
    var jobs = work.claim(3);
    assertThat(queue.ask("SELECT count(mirror) FROM leasehold.job")).containsExactly(1L);
    assertThat(queue.ask("SELECT count(mirror) FROM leasehold.lease")).containsExactly(1L);

    jobs.forEach(job -> work.end(job, JobStatus.SUCCEEDED));

    assertThat(queue.ask("SELECT count(mirror) FROM leasehold.outcome")).containsExactly(1L);
  }

  @Test
  void aDeletedRecordLeavesNoWork() throws SQLException {
    var job = claimed();
    queue.run("DELETE FROM acme.tool_run WHERE id = ?", record);

    assertThat(work.end(job, JobStatus.SUCCEEDED)).isTrue();

    assertThat(queue.ask("SELECT record_id FROM leasehold.mirror_behind")).isEmpty();
  }
}
