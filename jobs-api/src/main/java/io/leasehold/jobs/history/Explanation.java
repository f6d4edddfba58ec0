package io.leasehold.jobs.history;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import java.time.Instant;
import java.util.Optional;

/**
 * Why a job is not running, or what it is doing instead. The explanation describes one moment and
 * may be outdated already. About other tenants it reveals only that one of them comes first.
 *
 * @param job the id of the job
 * @param status the status of the job
 * @param reason why the job has not started, or what it is doing
 * @param queue the queue where the job waits, waited or came from
 * @param until when the job enters its queue, if it is not there yet and the time is known
 * @param ownBefore the number of the tenant's own jobs ahead of this one, if it is in its queue and
 *     a worker can run it; 1,000 means 1,000 or more
 */
public record Explanation(
    JobId job,
    JobStatus status,
    Reason reason,
    String queue,
    Optional<Instant> until,
    int ownBefore) {

  /** The reason for a job's current state: the first of these that applies. */
  public enum Reason {
    /** The job has finished; the status is its outcome. */
    OVER,
    /**
     * The worker did not renew its lease in time. The job is about to be requeued, failed or
     * adopted.
     */
    WORKER_LOST,
    /** The job was cancelled and has not ended yet. */
    CANCEL_REQUESTED,
    /** The job is running. */
    RUNNING,
    /** The queue is paused for all tenants until it is resumed. */
    QUEUE_PAUSED,
    /** The tenant's jobs in this queue are paused until they are resumed. */
    TENANT_PAUSED,
    /** The job waits for other jobs to succeed. */
    WAITS_FOR_JOBS,
    /** The job was submitted for a later time. */
    NOT_DUE,
    /** The last attempt failed, and the next one is scheduled. */
    WAITS_FOR_RETRY,
    /** The handler could not work at that moment and will be called again. */
    PUT_OFF,
    /** No worker has reported this handler within the last month, or ever. */
    UNKNOWN_HANDLER,
    /**
     * The handler is known, but no live worker has it and serves the job's queue. Also applies to a
     * running job that waits to be adopted.
     */
    NO_WORKER,
    /**
     * A worker without the handler claimed the job; the job returns to the queue for a worker that
     * has it.
     */
    ASIDE,
    /** All slots of the queue are taken, and another tenant comes first. */
    TURN_NOT_COME,
    /** All slots of the queue are taken, and the tenant's own jobs come next. */
    SLOTS_FULL,
    /** Nothing prevents the job from starting. */
    ABOUT_TO_START
  }

  /** Returns the explanation as a sentence for people. */
  public String sentence() {
    return switch (reason) {
      case OVER -> "the job is over: it is " + status.word();
      case WORKER_LOST -> "the job's worker is lost, and another takes over soon";
      case CANCEL_REQUESTED -> "the job's end was asked for, and it has not ended yet";
      case RUNNING -> "the job runs";
      case QUEUE_PAUSED -> "the queue %s is paused".formatted(queue);
      case TENANT_PAUSED -> "the tenant's jobs in the queue %s are paused".formatted(queue);
      case WAITS_FOR_JOBS -> "the job waits for others to succeed";
      case NOT_DUE -> "the job was submitted for a later time" + notBefore();
      case WAITS_FOR_RETRY -> "the last attempt failed, and the next one waits" + untilThen();
      case PUT_OFF -> "the handler could not work, and is asked again later" + notBefore();
      case UNKNOWN_HANDLER -> "no worker knows the job's handler";
      case NO_WORKER ->
          "no worker that has the job's handler works on the queue %s now".formatted(queue);
      case ASIDE -> "a worker without the job's handler put it aside" + untilThen();
      case TURN_NOT_COME ->
          "all workers of the queue %s are busy, and it is another tenant's turn%s"
              .formatted(queue, behindOwn());
      case SLOTS_FULL -> "all workers of the queue %s are busy%s".formatted(queue, behindOwn());
      case ABOUT_TO_START -> "the job is about to start" + behindOwn();
    };
  }

  private String untilThen() {
    return until.map(" until %s"::formatted).orElse("");
  }

  private String notBefore() {
    return until.map(", not before %s"::formatted).orElse("");
  }

  private String behindOwn() {
    return ownBefore == 0 ? "" : "; %d of the tenant's own jobs go before it".formatted(ownBefore);
  }
}
