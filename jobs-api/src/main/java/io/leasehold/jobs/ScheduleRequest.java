package io.leasehold.jobs;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;

/**
 * Asks for a schedule. It names no tenant: the schedule is the caller's. Immutable; each method
 * returns a changed copy.
 *
 * @param name of the schedule, unique for the tenant: up to 64 small letters, digits and {@code _ .
 *     -}
 * @param cron when its slots are, see {@link #of}
 * @param zone whose clocks the expression is about; default UTC
 * @param job what is submitted at each slot
 * @param jitter how long a job waits after its slot at most, by chance; default not at all
 * @param missed what becomes of slots that nobody could fire; default {@link MissedSlots#ONCE}
 * @param startAt before that there are no slots; default none
 * @param endAt after that there are no slots; default none
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

  /** The word of a job's metadata that says which schedule it is of. */
  public static final String SCHEDULE = "schedule";

  /** The word of a job's metadata that says for which slot it is, as {@link Instant} writes it. */
  public static final String SLOT = "slot";

  private static final Set<String> OWN_WORDS = Set.of(SCHEDULE, SLOT);

  /**
   * Checks the bounds. The expression is read when the schedule is put.
   *
   * @throws IllegalArgumentException if one does not hold
   */
  public ScheduleRequest {
    Bounds.requireSchedule(name);
    Bounds.requireCron(cron);
    Bounds.requireJitter(jitter);
    Bounds.requireSpan(startAt, endAt);
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
    Bounds.requireRoomFor(job.metadataValues(), OWN_WORDS);
  }

  /**
   * Asks for a job at each slot.
   *
   * <p>An expression has five fields, minute, hour, day of the month, month and day of the week, or
   * six with the second before them. A field has numbers, ranges, lists, steps ({@code *}{@code
   * /15}), {@code *}, and for months and days of the week their first three letters; 0 and 7 are
   * Sunday. If both days are given, either is enough. {@code @hourly}, {@code @daily},
   * {@code @midnight}, {@code @weekly}, {@code @monthly}, {@code @yearly} and {@code @annually}
   * stand for the expressions that crontabs know.
   *
   * @param cron at most 255 characters
   * @param job without a key, a delay, jobs to wait for or to reuse, a mirror, for a restartable
   *     type, with at most 62 values of metadata
   * @throws IllegalArgumentException if something is not within its bounds
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

  /** Whose clocks the expression is about, as in {@code ZoneId.of("Europe/Berlin")}. */
  public ScheduleRequest zone(ZoneId zone) {
    return new ScheduleRequest(name, cron, zone, job, jitter, missed, startAt, endAt);
  }

  /** How long a job waits after its slot at most, by chance: 0 to a day. */
  public ScheduleRequest jitter(Duration jitter) {
    return new ScheduleRequest(name, cron, zone, job, jitter, missed, startAt, endAt);
  }

  /** What becomes of slots that nobody could fire. */
  public ScheduleRequest missed(MissedSlots missed) {
    return new ScheduleRequest(name, cron, zone, job, jitter, missed, startAt, endAt);
  }

  /** Before that there are no slots. */
  public ScheduleRequest startAt(Instant startAt) {
    return new ScheduleRequest(name, cron, zone, job, jitter, missed, Optional.of(startAt), endAt);
  }

  /** After that there are no slots. */
  public ScheduleRequest endAt(Instant endAt) {
    return new ScheduleRequest(name, cron, zone, job, jitter, missed, startAt, Optional.of(endAt));
  }
}
