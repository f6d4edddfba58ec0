package io.leasehold.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What can be known of a schedule: never the input of its jobs.
 *
 * @param tenant whose it is
 * @param name of it, unique for the tenant
 * @param cron when its slots are, on the clocks of its zone
 * @param zone whose clocks, as {@link java.time.ZoneId} writes it
 * @param handler what handles its jobs
 * @param queue where they wait
 * @param priority of them among the tenant's jobs, the greater first
 * @param jitter how long a job waits after its slot at most, by chance
 * @param missed what becomes of slots that nobody could fire
 * @param startAt before that it has no slots
 * @param endAt after that it has no slots
 * @param nextAt its next slot; none while it is paused or put aside, and when it is over
 * @param lastSlotAt the last slot that has a job
 * @param lastJob that job, which may be gone by now
 * @param pause since when and by whom it is paused
 * @param fault since when and why it is put aside: its jobs cannot be submitted
 * @param principal who put it, and for whom its jobs are submitted
 * @param createdAt when it was made
 * @param updatedAt when it was last put, paused, resumed or put aside
 */
public record Schedule(
    TenantId tenant,
    String name,
    String cron,
    String zone,
    HandlerId handler,
    String queue,
    int priority,
    Duration jitter,
    MissedSlots missed,
    Optional<Instant> startAt,
    Optional<Instant> endAt,
    Optional<Instant> nextAt,
    Optional<Instant> lastSlotAt,
    Optional<JobId> lastJob,
    Optional<Pause> pause,
    Optional<Fault> fault,
    String principal,
    Instant createdAt,
    Instant updatedAt) {

  /**
   * That somebody paused it.
   *
   * @param at when
   * @param by who
   */
  public record Pause(Instant at, String by) {}

  /**
   * That it was put aside.
   *
   * @param at when
   * @param error why
   */
  public record Fault(Instant at, String error) {}

  /** Where a schedule is in its life. */
  public enum State {
    /** It has a next slot. */
    ACTIVE,
    /** Somebody paused it. */
    PAUSED,
    /** A job of it could not be submitted; it waits for its owner. */
    ASIDE,
    /** It has no slot left. */
    OVER
  }

  /** Where it is in its life. */
  public State state() {
    if (pause.isPresent()) {
      return State.PAUSED;
    }
    if (fault.isPresent()) {
      return State.ASIDE;
    }
    return nextAt.isPresent() ? State.ACTIVE : State.OVER;
  }
}
