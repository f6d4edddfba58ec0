package io.leasehold.jobs.schedules;

import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The visible state of a schedule. The input of its jobs is never part of it.
 *
 * @param tenant the tenant of the schedule
 * @param name the name of the schedule, unique for the tenant
 * @param cron the cron expression of the slots, evaluated in {@code zone}
 * @param zone the time zone, as {@link java.time.ZoneId} writes it
 * @param handler the handler of the jobs
 * @param queue the queue in which the jobs wait
 * @param priority the priority of the jobs among the tenant's jobs; higher runs first
 * @param jitter the maximum random delay of a job after its slot
 * @param missed what happens to missed slots
 * @param startAt the time before which there are no slots
 * @param endAt the time after which there are no slots
 * @param nextAt the next slot; empty while the schedule is paused or set aside, and after its last
 *     slot
 * @param lastSlotAt the last slot that has a job
 * @param lastJob the job of that slot, which may have been deleted
 * @param pause when the schedule was paused, and the principal that paused it
 * @param fault when and why the schedule was set aside: its jobs cannot be submitted
 * @param principal the principal that stored the schedule, and for which its jobs are submitted
 * @param createdAt when the schedule was created
 * @param updatedAt when the schedule was last stored, paused, resumed or set aside
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
   * A pause of a schedule.
   *
   * @param at when it was paused
   * @param by who paused it
   */
  public record Pause(Instant at, String by) {}

  /**
   * The reason why a schedule was set aside.
   *
   * @param at when it was set aside
   * @param error why it was set aside
   */
  public record Fault(Instant at, String error) {}

  /** The state of a schedule. */
  public enum State {
    /** The schedule has a next slot. */
    ACTIVE,
    /** The schedule is paused. */
    PAUSED,
    /** A job of the schedule could not be submitted; the schedule waits for its owner. */
    ASIDE,
    /** The schedule has no further slots. */
    OVER
  }

  /** Returns the state of the schedule. */
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
