package io.leasehold.jobs;

import java.time.Instant;
import java.util.Optional;

/**
 * Why a job does not run, or what it does instead. It was so at one moment, and may be otherwise by
 * now. Of other tenants it tells nothing but that one of them comes first.
 *
 * @param job which job
 * @param status where it is in its life
 * @param reason why it is there
 * @param queue where it waits, waited or came from
 * @param until when it goes to its queue, if it is not there yet and the time is known
 * @param ownBefore if it is in its queue and a worker can run it, how many of the tenant's own jobs
 *     go before it; 1,000 stands for more as well
 */
public record Explanation(
    JobId job,
    JobStatus status,
    Reason reason,
    String queue,
    Optional<Instant> until,
    int ownBefore) {

  /** Why a job is where it is: the first of these that holds. */
  public enum Reason {
    /** It has ended; the status tells how. */
    OVER,
    /**
     * Its worker gave no sign of life in time: it is queued again, fails or is adopted, in a
     * moment.
     */
    WORKER_LOST,
    /** Its end was asked for, and it has not ended yet. */
    CANCEL_REQUESTED,
    /** It does run. */
    RUNNING,
    /** Nobody's jobs are taken from its queue until that is resumed. */
    QUEUE_PAUSED,
    /** The tenant's jobs are not taken from this queue until that is resumed. */
    TENANT_PAUSED,
    /** It waits for other jobs to succeed. */
    WAITS_FOR_JOBS,
    /** It was submitted for a later time. */
    NOT_DUE,
    /** Its last attempt failed, and the next has its time. */
    WAITS_FOR_RETRY,
    /** Its handler could not work at that moment, and will be asked again. */
    PUT_OFF,
    /** No worker has ever told that it has its handler, or none for a month. */
    UNKNOWN_HANDLER,
    /**
     * Its handler is known, and no live worker has it and works on its queue. Also of a running job
     * that waits to be adopted.
     */
    NO_WORKER,
    /** A worker took it that does not know its handler; it comes back for one that does. */
    ASIDE,
    /** All slots for its queue are taken, and another tenant comes first. */
    TURN_NOT_COME,
    /** All slots for its queue are taken, and the tenant's own jobs are next. */
    SLOTS_FULL,
    /** Nothing stands in its way. */
    ABOUT_TO_START
  }

  /** The same in plain words, for people. */
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
