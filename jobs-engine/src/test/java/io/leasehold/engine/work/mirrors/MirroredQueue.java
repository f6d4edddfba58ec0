package io.leasehold.engine.work.mirrors;

import static io.leasehold.engine.maintenance.TestQueue.TENANT;

import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.maintenance.CatchUpMirrors;
import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.engine.maintenance.dependencies.SettleNotes;
import io.leasehold.engine.maintenance.rescue.RescueJobs;
import io.leasehold.engine.maintenance.retention.Following;
import io.leasehold.engine.metrics.Measuring;
import io.leasehold.engine.service.submit.Serving;
import io.leasehold.engine.time.delayed.Moving;
import io.leasehold.engine.work.claim.Adopting;
import io.leasehold.engine.work.claim.Claimant;
import io.leasehold.engine.work.claim.Lanes;
import io.leasehold.engine.work.finish.EndJobInTransaction;
import io.leasehold.engine.work.finish.Ending;
import io.leasehold.engine.work.finish.Flushing;
import io.leasehold.engine.work.lease.OrphanJobs;
import io.leasehold.engine.work.lease.PutOff;
import io.leasehold.engine.work.lease.ReleaseJobs;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.WhenLost;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jooq.JSON;

/** A queue whose transactions are run one by one, as a worker and the maintenance run them. */
final class MirroredQueue {

  static final SecurityContext CALLER = SecurityContext.of("ann", new TenantId(TENANT)).build();

  private static final Duration LEASE = Duration.ofHours(1);
  private static final int MANY = 100;

  private final TestQueue queue;
  private final Administrator administrator;
  private final JobType<String, String> type;
  private final Lanes lanes;

  /** The worker that claims. */
  final WorkerId worker = new WorkerId(UUID.randomUUID());

  /**
   * One whose jobs are in a queue of their own, and do what a handler chose if a worker is lost.
   */
  MirroredQueue(TestQueue queue, Administrator administrator, String name, WhenLost whenLost) {
    this.queue = queue;
    this.administrator = administrator;
    this.type =
        JobType.restartable(
                "gts.x.core.jobs.handler.v1~acme.tests.mirror.work.v1", String.class, String.class)
            .queue(name);
    var handlers = Set.of(type.handler());
    var claimant =
        new Claimant(
            worker,
            name,
            LEASE,
            whenLost == WhenLost.FAIL ? handlers : Set.of(),
            whenLost == WhenLost.ADOPT ? handlers : Set.of());
    this.lanes = new Lanes(queue.transactions(), claimant, Measuring.claims());
  }

  JobType<String, String> type() {
    return type;
  }

  Transactions transactions() {
    return queue.transactions();
  }

  Serving jobs() {
    return Serving.on(queue.transactions());
  }

  List<ClaimedJob> claim(int limit) {
    lanes.lookAgain();
    return lanes.claim(limit).jobs();
  }

  boolean end(ClaimedJob job, JobStatus status) {
    var error = status == JobStatus.SUCCEEDED ? Optional.<String>empty() : Optional.of("no luck");
    return write(new Ending.Last(job.id(), job.token(), status, JSON.json("1"), error));
  }

  boolean endRemoved(ClaimedJob job) {
    return write(new Ending.Removed(job.id(), job.token()));
  }

  boolean tryAgain(ClaimedJob job) {
    return write(
        new Ending.Again(
            job.id(), job.token(), JobStatus.FAILED, "not yet", Duration.ofMinutes(1)));
  }

  boolean putOff(ClaimedJob job, PutOff why) {
    return write(new Ending.Later(job.id(), job.token(), Duration.ofMinutes(1), why));
  }

  private boolean write(Ending ending) {
    return Flushing.write(queue.transactions(), worker, List.of(ending)).contains(ending.id());
  }

  void finish(ClaimedJob job) {
    queue
        .transactions()
        .asTenant(
            CALLER,
            tx -> {
              EndJobInTransaction.end(tx, worker, job, JSON.json("1"));
              return job;
            });
  }

  int release(ClaimedJob job, boolean begun) {
    var held = List.of(new HeldLease(job.id(), job.token()));
    return queue.transactions().asEngine(tx -> ReleaseJobs.release(tx, worker, held, begun));
  }

  /** Has the lease of a job run out, as that of a killed worker does. */
  void expire(JobId job) throws SQLException {
    administrator.run(
        "UPDATE leasehold.lease SET locked_until = now() - interval '1 s' WHERE id = ?",
        job.value());
  }

  void rescue() {
    queue.transactions().asEngine(tx -> OrphanJobs.lost(tx, MANY));
    queue.transactions().asEngine(tx -> RescueJobs.rescue(tx, MANY));
  }

  List<ClaimedJob> adopt() {
    return queue
        .transactions()
        .asEngine(tx -> Adopting.adopt(tx, worker, type.queue(), type, LEASE));
  }

  /** Has all jobs of the queue that are due later be due now. */
  void move() throws SQLException {
    administrator.run(
        "UPDATE leasehold.scheduled SET available_at = now() WHERE queue = ?", type.queue());
    queue.transactions().asEngine(tx -> Moving.move(tx, MANY));
  }

  void followCancels() {
    Following.cancels(queue.transactions());
  }

  void settle() {
    while (queue.transactions().asEngine(tx -> SettleNotes.settle(tx, MANY)).any()) {}
  }

  /** Has all jobs that ended be as old as the retention, and removes them. */
  void prune() throws SQLException {
    administrator.run(
        "UPDATE leasehold.outcome SET finished_at = finished_at - interval '30 days'");
    administrator.run(
        """
        UPDATE acme.tool_run AS run SET finished_at = outcome.finished_at
        FROM leasehold.mirror_record AS link JOIN leasehold.outcome USING (tenant_id, id)
        WHERE run.tenant_id = link.tenant_id AND run.id = link.record_id
        """);
    Following.prunes(queue.transactions(), Duration.ofDays(14));
  }

  /** Brings records up to date whose notes are due by now, or are due in a while. */
  void catchUp() throws SQLException {
    administrator.run("UPDATE leasehold.mirror_behind SET due_at = now()");
    new CatchUpMirrors(queue.transactions(), Measuring.unrecorded()).catchUp();
  }
}
