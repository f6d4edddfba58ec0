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

  static ScheduleView of(Schedule its) {
    return new ScheduleView(
        its.name(),
        its.tenant().toString(),
        its.state().name().toLowerCase(Locale.ROOT),
        its.cron(),
        its.zone(),
        its.jitter().toString(),
        its.missed().word(),
        its.handler().value(),
        its.queue(),
        its.priority(),
        its.startAt(),
        its.endAt(),
        its.nextAt(),
        its.lastSlotAt(),
        its.lastJob().map(JobId::toString),
        its.pause().map(Schedule.Pause::at),
        its.fault().map(Schedule.Fault::at),
        its.fault().map(Schedule.Fault::error),
        its.createdAt(),
        its.updatedAt());
  }
}
