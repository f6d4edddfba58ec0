package io.leasehold.jobs;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the caller's own tenant has submitted again and again: stored schedules, each with a name.
 *
 * <p>Each slot of a schedule has one job, in all processes together, and whichever fires it: the
 * job exists if, and only if, the schedule has moved on. A job says by its metadata of which {@link
 * ScheduleRequest#SCHEDULE} and for which {@link ScheduleRequest#SLOT} it is, and has {@code
 * schedule:} and the name as its correlation id. All time is the database's. A slot is fired within
 * a second or so while a process with the role of maintenance lives.
 *
 * <p>Where clocks go forward, slots of a schedule that names hours which are left out come once, at
 * the first moment after; one of every hour ({@code *} in the field of hours) has none there. Where
 * clocks go back, a schedule that names hours has its slots the first time only, and one of every
 * hour both times.
 *
 * <p>Within a transaction, what a method does takes effect with its commit, or not at all. Another
 * tenant's schedule and one that never was are the same to all methods. Safe to share between
 * threads. What the database cannot do is thrown as a {@link JobsException} with its code.
 */
public interface Schedules {

  /**
   * Makes a schedule, or replaces the one of that name. Repeated, it changes nothing: what runs at
   * the same times as before goes on where it is, and has what was missed meanwhile. With other
   * times it goes on from now. A paused schedule stays paused, one that was put aside goes on.
   *
   * <p>The job is submitted as it is here, for this principal, also by processes that have another
   * version of its type, or none. Interceptors see each submission, with an input of JSON as text.
   *
   * @throws IllegalArgumentException if the expression cannot be read, or never comes true
   * @throws JobsException with {@link ErrorCode#INPUT_REFUSED} if a check of the type refuses the
   *     job; with {@link ErrorCode#VALUE_REFUSED} or {@link ErrorCode#TOO_LARGE} if it cannot be
   *     stored
   */
  Schedule put(SecurityContext caller, ScheduleRequest request);

  /** Makes or replaces a schedule, if the transaction commits. */
  Schedule put(TenantTransaction tx, ScheduleRequest request);

  /** Looks a schedule up. */
  Optional<Schedule> find(SecurityContext caller, String name);

  /**
   * Lists schedules in the order of their names.
   *
   * @param after the name behind which to go on, if not at the beginning
   * @param limit at most so many, 1 to 200
   * @throws IllegalArgumentException if the limit is not 1 to 200
   */
  SchedulePage list(SecurityContext caller, Optional<String> after, int limit);

  /**
   * The next slots, the first one first.
   *
   * @param count at most so many, 1 to 100
   * @return none if there is no such schedule, or it is paused, put aside or over
   * @throws IllegalArgumentException if the count is not 1 to 100
   */
  List<Instant> next(SecurityContext caller, String name, int count);

  /**
   * Has a schedule rest: its slots have no jobs, and are not made up for. Jobs that there are go
   * on. Repeated, it changes nothing, and keeps who paused it first.
   *
   * @return whether there is such a schedule
   */
  boolean pause(SecurityContext caller, String name);

  /** Has a schedule rest, if the transaction commits. */
  boolean pause(TenantTransaction tx, String name);

  /**
   * Goes on with a schedule that was paused or put aside, from now. Repeated, it changes nothing.
   *
   * @return whether there is such a schedule
   * @throws IllegalArgumentException if its expression or zone is not known any more: put it anew
   */
  boolean resume(SecurityContext caller, String name);

  /** Goes on with a schedule, if the transaction commits. */
  boolean resume(TenantTransaction tx, String name);

  /**
   * Removes a schedule. Jobs that there are go on.
   *
   * @return whether there was such a schedule
   */
  boolean remove(SecurityContext caller, String name);

  /** Removes a schedule, if the transaction commits. */
  boolean remove(TenantTransaction tx, String name);
}
