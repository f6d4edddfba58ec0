package io.leasehold.jobs.schedules;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantTransaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Stores and manages the schedules of the caller's own tenant: jobs that are submitted repeatedly.
 * Each schedule has a name.
 *
 * <p>Each slot of a schedule has exactly one job across all processes, whichever process fires it.
 * The job exists if, and only if, the schedule has moved on to the next slot. The metadata of a job
 * contain its {@link ScheduleRequest#SCHEDULE} and its {@link ScheduleRequest#SLOT}. The
 * correlation id of a job is {@code schedule:} followed by the name. All times are the database's.
 * A slot is fired within about a second while a process with the maintenance role is running.
 *
 * <p>When clocks go forward, a schedule with explicit hours fires its skipped slots once, at the
 * first moment after the gap. A schedule of every hour ({@code *} in the hour field) has no slots
 * in the gap. When clocks go back, a schedule with explicit hours fires only during the first pass
 * through the repeated hours, and a schedule of every hour fires in both.
 *
 * <p>Inside a transaction, a method takes effect when the transaction commits, or not at all. No
 * method distinguishes another tenant's schedule from one that never existed. Safe to share between
 * threads. A database failure is thrown as a {@link JobsException} with its code.
 */
public interface Schedules {

  /**
   * Creates a schedule, or replaces the schedule with this name. A repeated call changes nothing.
   * If the slot times are unchanged, the schedule continues from its current position, including
   * slots missed in the meantime. If the slot times change, the schedule continues from now. A
   * paused schedule stays paused; a schedule that was set aside becomes active again.
   *
   * <p>The job is submitted exactly as stored here, for this principal, even by processes that have
   * another version of the job type, or do not know it. Interceptors see each submission, with the
   * input as JSON text.
   *
   * @throws IllegalArgumentException if the expression cannot be parsed, or never matches
   * @throws JobsException with {@link ErrorCode#INPUT_REFUSED} if a check of the type rejects the
   *     job; with {@link ErrorCode#VALUE_REFUSED} or {@link ErrorCode#TOO_LARGE} if the job cannot
   *     be stored
   */
  Schedule put(SecurityContext caller, ScheduleRequest request);

  /** Creates or replaces a schedule if the transaction commits. */
  Schedule put(TenantTransaction tx, ScheduleRequest request);

  /** Finds a schedule by name. */
  Optional<Schedule> find(SecurityContext caller, String name);

  /**
   * Lists schedules, ordered by name.
   *
   * @param after the last name of the previous page; empty for the first page
   * @param limit the maximum page size, 1 to 200
   * @throws IllegalArgumentException if {@code limit} is not 1 to 200
   */
  SchedulePage list(SecurityContext caller, Optional<String> after, int limit);

  /**
   * Returns the next slots, earliest first.
   *
   * @param count the maximum number of slots, 1 to 100
   * @return an empty list if the schedule does not exist, is paused or set aside, or has no further
   *     slots
   * @throws IllegalArgumentException if {@code count} is not 1 to 100
   */
  List<Instant> next(SecurityContext caller, String name, int count);

  /**
   * Pauses a schedule. Slots during the pause have no jobs and are not made up for. Existing jobs
   * are not affected. A repeated call changes nothing: the first pause and who requested it are
   * kept.
   *
   * @return whether the schedule exists
   */
  boolean pause(SecurityContext caller, String name);

  /** Pauses a schedule if the transaction commits. */
  boolean pause(TenantTransaction tx, String name);

  /**
   * Resumes a schedule that was paused or set aside, from now on. A repeated call changes nothing.
   *
   * @return whether the schedule exists
   * @throws IllegalArgumentException if the expression or the time zone is no longer valid; store
   *     the schedule again with {@code put}
   */
  boolean resume(SecurityContext caller, String name);

  /** Resumes a schedule if the transaction commits. */
  boolean resume(TenantTransaction tx, String name);

  /**
   * Deletes a schedule. Existing jobs are not affected.
   *
   * @return whether the schedule existed
   */
  boolean remove(SecurityContext caller, String name);

  /** Deletes a schedule if the transaction commits. */
  boolean remove(TenantTransaction tx, String name);
}
