package io.leasehold.rest.schedules;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.schedules.Schedule;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A schedule for people and programs: with the same terms as everywhere, and never with an input.
 */
record ScheduleView(
    String name,
    String tenantId,
    String state,
    String cron,
    String zone,
    String jitter,
    String missed,
    String handlerId,
    String queue,
    int priority,
    Optional<Instant> startAt,
    Optional<Instant> endAt,
    Optional<Instant> nextAt,
    Optional<Instant> lastSlotAt,
    Optional<String> lastJobId,
    Optional<Instant> pausedAt,
    Optional<Instant> asideAt,
    Optional<String> error,
    Instant createdAt,
    Instant updatedAt) {

  static ScheduleView of(Schedule schedule) {
    return new ScheduleView(
        schedule.name(),
        schedule.tenant().toString(),
        schedule.state().name().toLowerCase(Locale.ROOT),
        schedule.cron(),
        schedule.zone(),
        schedule.jitter().toString(),
        schedule.missed().word(),
        schedule.handler().value(),
        schedule.queue(),
        schedule.priority(),
        schedule.startAt(),
        schedule.endAt(),
        schedule.nextAt(),
        schedule.lastSlotAt(),
        schedule.lastJob().map(JobId::toString),
        schedule.pause().map(Schedule.Pause::at),
        schedule.fault().map(Schedule.Fault::at),
        schedule.fault().map(Schedule.Fault::error),
        schedule.createdAt(),
        schedule.updatedAt());
  }
}
