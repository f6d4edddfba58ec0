package io.leasehold.proofs.explore;

import static io.leasehold.proofs.explore.Operation.REFUSED;
import static io.leasehold.proofs.explore.Operation.WRITTEN;
import static io.leasehold.proofs.explore.Operation.engine;
import static io.leasehold.proofs.explore.Operation.tenant;
import static io.leasehold.proofs.explore.Target.A;
import static io.leasehold.proofs.explore.Target.B;
import static io.leasehold.proofs.explore.Target.CALLER;

import io.leasehold.db.Transactions;
import io.leasehold.engine.maintenance.dependencies.SettleNotes;
import io.leasehold.engine.maintenance.rescue.RescueJobs;
import io.leasehold.engine.maintenance.retention.Dropping;
import io.leasehold.engine.metrics.Measuring;
import io.leasehold.engine.service.submit.Serving;
import io.leasehold.engine.time.delayed.Moving;
import io.leasehold.engine.work.claim.Adopting;
import io.leasehold.engine.work.claim.Claimant;
import io.leasehold.engine.work.claim.Lanes;
import io.leasehold.engine.work.events.Saying;
import io.leasehold.engine.work.finish.EndJobInTransaction;
import io.leasehold.engine.work.finish.Ending;
import io.leasehold.engine.work.finish.Flushing;
import io.leasehold.engine.work.lease.Keeping;
import io.leasehold.engine.work.lease.OrphanJobs;
import io.leasehold.engine.work.lease.ParkJobs;
import io.leasehold.engine.work.lease.PutOff;
import io.leasehold.engine.work.lease.ReleaseJobs;
import io.leasehold.engine.work.steps.Holder;
import io.leasehold.engine.work.steps.Storing;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobsException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jooq.JSON;

/** The transactions of the queue: what is written for an attempt is written by worker A. */
final class Operations {

  private static final Duration LEASE = Duration.ofHours(1);
  private static final Duration RETENTION = Duration.ofHours(24);
  private static final int MANY = 100;

  static final String TOLD = "told";
  static final String KEPT = "kept";

  static final Operation CLAIM =
      engine(
          "claim",
          (transactions, _) ->
              new Lanes(
                          transactions,
                          new Claimant(B, Target.QUEUE, LEASE, Set.of(), Set.of()),
                          Measuring.claims())
                      .claim(1)
                      .jobs()
                      .isEmpty()
                  ? "nothing"
                  : "claimed");

  static final Operation RENEW =
      engine(
          "renew",
          (transactions, job) -> {
            var kept = Keeping.leases(transactions, A).renew(job.lease(), LEASE);
            return kept.renewed().isEmpty() ? kept.lost().isEmpty() ? "held" : "lost" : "renewed";
          });

  static final Operation COMPLETE =
      engine(
          "complete",
          (transactions, job) -> flush(transactions, job, last(job, JobStatus.SUCCEEDED)));

  static final Operation FAIL =
      engine("fail", (transactions, job) -> flush(transactions, job, last(job, JobStatus.FAILED)));

  /** Puts the job off. */
  static final Operation AGAIN =
      engine("again", (transactions, job) -> flush(transactions, job, again(job)));

  static final Operation RESCUE =
      engine(
          "rescue",
          (transactions, _) ->
              taken(
                  (int)
                      transactions.asEngine(tx -> RescueJobs.rescue(tx, MANY)).stream()
                          .filter(job -> !job.isOver())
                          .count()));

  /** Takes the worker away from a lease whose job goes on. */
  static final Operation ORPHAN =
      engine(
          "orphan",
          (transactions, _) ->
              taken(transactions.asEngine(tx -> OrphanJobs.lost(tx, MANY)).size()));

  static final Operation ADOPT =
      engine(
          "adopt",
          (transactions, _) ->
              transactions
                      .asEngine(tx -> Adopting.adopt(tx, B, Target.QUEUE, Target.TYPE, LEASE))
                      .isEmpty()
                  ? "nothing"
                  : "adopted");

  static final Operation MOVE =
      engine(
          "move",
          (transactions, _) -> taken(transactions.asEngine(tx -> Moving.move(tx, MANY)).size()));

  static final Operation RELEASE =
      engine(
          "release",
          (transactions, job) ->
              taken(transactions.asEngine(tx -> ReleaseJobs.release(tx, A, job.lease(), true))));

  static final Operation PARK =
      engine(
          "park",
          (transactions, job) ->
              taken(
                  transactions.asEngine(
                      tx ->
                          ParkJobs.park(tx, A, job.lease(), Duration.ofHours(1), PutOff.LATER)
                              .size())));

  static final Operation PROGRESS =
      engine(
          "progress",
          (transactions, job) -> {
            var holder = new Holder(transactions, A, job.claimed(), CALLER);
            transactions.asEngine(
                tx -> {
                  Saying.half(tx, holder);
                  return tx;
                });
            return TOLD;
          });

  static final Operation STEP =
      tenant(
          "step",
          (transactions, job) -> {
            var holder = new Holder(transactions, A, job.claimed(), CALLER);
            transactions.asTenant(
                CALLER,
                tx -> {
                  Storing.both(tx, holder);
                  return tx;
                });
            return KEPT;
          });

  static final Operation CANCEL =
      tenant(
          "cancel", (transactions, job) -> word(Serving.on(transactions).cancel(CALLER, job.id())));

  static final Operation RETRY =
      tenant(
          "retry", (transactions, job) -> word(Serving.on(transactions).retry(CALLER, job.id())));

  static final Operation DELETE =
      tenant(
          "delete", (transactions, job) -> word(Serving.on(transactions).delete(CALLER, job.id())));

  static final Operation FORCE_DELETE =
      tenant(
          "force delete",
          (transactions, job) -> word(Serving.on(transactions).forceDelete(CALLER, job.id())));

  static final Operation FINISH =
      tenant(
          "finish",
          (transactions, job) ->
              transactions.asTenant(
                  CALLER,
                  tx -> {
                    EndJobInTransaction.end(tx, A, job.claimed(), JSON.json("1"));
                    return WRITTEN;
                  }));

  /** Asks for a job of the same key, in a queue of its own. */
  static final Operation SUBMIT =
      tenant(
          "submit",
          (transactions, _) ->
              Serving.on(transactions)
                      .submit(CALLER, Target.TYPE.queue("aside").request("").key(Target.KEY))
                      .repeated()
                  ? "repeated"
                  : "submitted");

  /** Asks for a job of the same key, and is content with one that is unfinished or succeeded. */
  static final Operation REUSE =
      tenant(
          "reuse",
          (transactions, _) ->
              Serving.on(transactions)
                      .submit(
                          CALLER, Target.TYPE.queue("aside").request("").key(Target.KEY).reuse())
                      .repeated()
                  ? "reused"
                  : "replaced");

  /** Asks for a job that waits for this one. */
  static final Operation SUBMIT_AFTER =
      tenant(
          "submit after",
          (transactions, job) -> {
            try {
              Serving.on(transactions)
                  .submit(CALLER, Target.TYPE.queue("aside").request("").after(job.id()));
              return "submitted after";
            } catch (JobsException e) {
              return e.code() == ErrorCode.DEPENDENCY_UNKNOWN ? "unknown" : Answer.error(e);
            }
          });

  /** Looks at what was noted. */
  static final Operation SETTLE =
      engine(
          "settle",
          (transactions, _) ->
              transactions.asEngine(tx -> SettleNotes.settle(tx, MANY)).any()
                  ? "settled"
                  : "nothing");

  static final Operation CANCEL_DEPENDENT =
      tenant(
          "cancel dependent",
          (transactions, _) ->
              "dependent "
                  + word(Serving.on(transactions).cancel(CALLER, dependent(transactions))));

  static final Operation RETRY_DEPENDENT =
      tenant(
          "retry dependent",
          (transactions, _) ->
              "dependent " + word(Serving.on(transactions).retry(CALLER, dependent(transactions))));

  static final Operation DELETE_DEPENDENT =
      tenant(
          "delete dependent",
          (transactions, _) ->
              "dependent "
                  + word(Serving.on(transactions).delete(CALLER, dependent(transactions))));

  /** Ends A's other job. */
  static final Operation COMPLETE_OTHER =
      engine(
          "complete other",
          (transactions, job) ->
              "other " + flush(transactions, other(job), last(other(job), JobStatus.SUCCEEDED)));

  static final Operation FAIL_OTHER =
      engine(
          "fail other",
          (transactions, job) ->
              "other " + flush(transactions, other(job), last(other(job), JobStatus.FAILED)));

  static final Operation FINISH_OTHER =
      tenant(
          "finish other",
          (transactions, job) ->
              transactions.asTenant(
                  CALLER,
                  tx -> {
                    EndJobInTransaction.end(tx, A, other(job).claimed(), JSON.json("1"));
                    return "other finished";
                  }));

  /** Drops the day of the job. */
  static final Operation DROP =
      engine(
              "drop",
              (transactions, _) ->
                  transactions.asEngine(tx -> Dropping.drop(tx, Board.day(tx), RETENTION)))
          .thatGivesUp();

  /** Ends A's two jobs at once. */
  static final Operation COMPLETE_BOTH =
      engine(
          "complete both",
          (transactions, job) ->
              flush(
                  transactions,
                  job,
                  last(job, JobStatus.SUCCEEDED),
                  last(other(job), JobStatus.SUCCEEDED)));

  /** Ends one, and puts the other off. */
  static final Operation END_BOTH =
      engine(
          "end both",
          (transactions, job) ->
              flush(transactions, job, last(other(job), JobStatus.SUCCEEDED), again(job)));

  /** Gives A's two jobs back, in the other order. */
  static final Operation RELEASE_BOTH =
      engine(
          "release both",
          (transactions, job) ->
              taken(
                  transactions.asEngine(
                      tx ->
                          ReleaseJobs.release(
                              tx,
                              A,
                              List.of(other(job).lease().getFirst(), job.lease().getFirst()),
                              true))));

  /** What befalls jobs that go on without their workers. */
  static List<Operation> adoption() {
    return List.of(ORPHAN, ADOPT, RELEASE);
  }

  /** All that the queue does. */
  static List<Operation> all() {
    return List.of(
        CLAIM,
        RENEW,
        COMPLETE,
        FAIL,
        AGAIN,
        RESCUE,
        MOVE,
        RELEASE,
        PARK,
        PROGRESS,
        STEP,
        CANCEL,
        RETRY,
        DELETE,
        FORCE_DELETE,
        FINISH,
        SUBMIT,
        DROP);
  }

  /** What is done to, and for, those that wait for the job, or would do with it. */
  static List<Operation> ofDependents() {
    return List.of(
        SUBMIT_AFTER,
        SUBMIT_AFTER.repeatableRead(),
        REUSE,
        REUSE.repeatableRead(),
        SETTLE,
        CANCEL_DEPENDENT,
        RETRY_DEPENDENT,
        DELETE_DEPENDENT);
  }

  /** What tenants do, but that it is rolled back, or keeps its first snapshot. */
  static List<Operation> unusual() {
    var tenants = List.of(CANCEL, RETRY, DELETE, FINISH, SUBMIT, STEP);
    return Stream.concat(
            tenants.stream().map(Operation::rolledBack),
            tenants.stream().map(Operation::repeatableRead))
        .toList();
  }

  private Operations() {}

  private static JobId dependent(SteppedTransactions transactions) {
    return new JobId(transactions.one("SELECT explore.dependent()"));
  }

  private static String word(Object answer) {
    return answer.getClass().getSimpleName();
  }

  private static String taken(int jobs) {
    return jobs == 0 ? "nothing" : "taken";
  }

  private static Ending last(Target job, JobStatus status) {
    return new Ending.Last(job.id(), job.token(), status, JSON.json("1"), Optional.empty());
  }

  private static Ending again(Target job) {
    return new Ending.Again(job.id(), job.token(), JobStatus.FAILED, "no", Duration.ofHours(1));
  }

  private static Target other(Target job) {
    var second = job.other().orElseThrow();
    return new Target(second.id(), second.token(), Optional.empty());
  }

  private static String flush(Transactions transactions, Target job, Ending... endings) {
    return Flushing.write(transactions, A, List.of(endings)).contains(job.id()) ? WRITTEN : REFUSED;
  }
}
