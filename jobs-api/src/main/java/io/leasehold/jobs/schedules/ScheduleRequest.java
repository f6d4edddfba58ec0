package io.leasehold.jobs.schedules;

import io.leasehold.jobs.JobKind;
import io.leasehold.jobs.JobRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;

/**
 * Describes a schedule to store. A request names no tenant: the schedule belongs to the caller's.
 * Immutable; each method returns a modified copy.
 *
 * @param name the name of the schedule, unique for the tenant: up to 64 small letters, digits and
 *     {@code _ . -}
 * @param cron the cron expression of the slots, see {@link #of}
 * @param zone the time zone of the expression; default UTC
 * @param job the job to submit at each slot
 * @param jitter the maximum random delay of a job after its slot; default no delay
 * @param missed what happens to missed slots; default {@link MissedSlots#ONCE}
 * @param startAt the time before which there are no slots; default none
 * @param endAt the time after which there are no slots; default none
 */
public record ScheduleRequest(
    String name,
    String cron,
    ZoneId zone,
    JobRequest<?, ?> job,
    Duration jitter,
    MissedSlots missed,
    Optional<Instant> startAt,
    Optional<Instant> endAt) {

  /** The name of the metadata value that contains the name of a job's schedule. */
  public static final String SCHEDULE = "schedule";

  /** The name of the metadata value that contains a job's slot, as {@link Instant} writes it. */
  public static final String SLOT = "slot";

  private static final Set<String> OWN_WORDS = Set.of(SCHEDULE, SLOT);

  /**
   * Checks the bounds. The cron expression is parsed when the schedule is stored.
   *
   * @throws IllegalArgumentException if a value is out of bounds
   */
  public ScheduleRequest {
    ScheduleBounds.requireName(name);
    ScheduleBounds.requireCron(cron);
    ScheduleBounds.requireJitter(jitter);
    ScheduleBounds.requireSpan(startAt, endAt);
    requireTemplate(job);
  }

  private static void requireTemplate(JobRequest<?, ?> job) {
    if (job.type().kind() != JobKind.RESTARTABLE) {
      throw new IllegalArgumentException(
          "the job of a schedule must be restartable, and %s lives in memory"
              .formatted(job.type().handler()));
    }
    if (job.key().isPresent() || !job.delay().isZero()) {
      throw new IllegalArgumentException(
          "the job of a schedule must have no key and no delay: both follow from its slot");
    }
    if (!job.after().isEmpty() || job.reuseWithin().isPresent()) {
      throw new IllegalArgumentException(
          "the job of a schedule must wait for no others and reuse none: each slot has its own");
    }
    if (job.mirror().isPresent()) {
      throw new IllegalArgumentException(
          "the job of a schedule must have no mirror: each slot would need a record of its own");
    }
    ScheduleBounds.requireRoomFor(job.metadataValues(), OWN_WORDS);
  }

  /**
   * Creates a request for a job at each slot.
   *
   * <p>A cron expression has five fields: minute, hour, day of month, month and day of week. A
   * sixth field, the second, may precede them. A field contains numbers, ranges, lists, steps
   * ({@code *}{@code /15}) or {@code *}; months and days of the week may be given by their first
   * three letters. In the day-of-week field, 0 and 7 are Sunday. If both day fields are given, a
   * day that matches either of them is enough. {@code @hourly}, {@code @daily}, {@code @midnight},
   * {@code @weekly}, {@code @monthly}, {@code @yearly} and {@code @annually} have their usual
   * crontab meaning.
   *
   * @param cron at most 255 characters
   * @param job a job of a restartable type, without a key, delay, dependencies, reuse or mirror,
   *     and with at most 62 metadata values
   * @throws IllegalArgumentException if a value is out of bounds
   */
  public static ScheduleRequest of(String name, String cron, JobRequest<?, ?> job) {
    return new ScheduleRequest(
        name,
        cron,
        ZoneOffset.UTC,
        job,
        Duration.ZERO,
        MissedSlots.ONCE,
        Optional.empty(),
        Optional.empty());
  }

  /** Sets the time zone of the expression, for example {@code ZoneId.of("Europe/Berlin")}. */
  public ScheduleRequest zone(ZoneId zone) {
    return new ScheduleRequest(name, cron, zone, job, jitter, missed, startAt, endAt);
  }

  /** Sets the maximum random delay of a job after its slot: 0 to a day. */
  public ScheduleRequest jitter(Duration jitter) {
    return new ScheduleRequest(name, cron, zone, job, jitter, missed, startAt, endAt);
  }

  /** Sets what happens to missed slots. */
  public ScheduleRequest missed(MissedSlots missed) {
    return new ScheduleRequest(name, cron, zone, job, jitter, missed, startAt, endAt);
  }

  /** Sets the time before which there are no slots. */
  public ScheduleRequest startAt(Instant startAt) {
    return new ScheduleRequest(name, cron, zone, job, jitter, missed, Optional.of(startAt), endAt);
  }

  /** Sets the time after which there are no slots. */
  public ScheduleRequest endAt(Instant endAt) {
    return new ScheduleRequest(name, cron, zone, job, jitter, missed, startAt, Optional.of(endAt));
  }
}
