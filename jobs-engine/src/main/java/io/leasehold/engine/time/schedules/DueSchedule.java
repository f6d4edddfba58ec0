package io.leasehold.engine.time.schedules;

import io.leasehold.engine.service.values.Metadata;
import io.leasehold.engine.time.cron.Timetable;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.schedules.MissedSlots;
import io.leasehold.jobs.schedules.ScheduleRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jooq.JSON;
import tools.jackson.databind.util.RawValue;

/**
 * A schedule whose next slot has come, as stored. Its text is parsed only when it fires, so that an
 * invalid schedule does not affect others.
 *
 * @param which the key of the schedule
 * @param revision the revision of the stored definition
 * @param slot the next slot
 * @param now the time by the database's clock
 * @param rewinds how often its slots repeated because that clock went back
 * @param plan when its slots are
 * @param job the job to submit
 */
record DueSchedule(
    Key which, long revision, Instant slot, Instant now, int rewinds, Plan plan, Template job) {

  /** The unique key of a schedule. */
  record Key(TenantId tenant, String name) {}

  /** The stored text that defines the slots of a schedule. */
  record Plan(
      String cron,
      String zone,
      Optional<Instant> startAt,
      Optional<Instant> endAt,
      Duration jitter,
      String missed) {}

  /** The stored text of the job that a schedule submits. */
  record Template(
      String handler,
      String queue,
      int priority,
      int maxAttempts,
      Optional<Duration> timeout,
      JSON input,
      Optional<JSON> metadata,
      String principal) {}

  Timetable timetable() {
    return Timetable.of(plan.cron(), plan.zone(), plan.startAt(), plan.endAt());
  }

  /** Returns the slots that need jobs now. */
  List<Instant> slots(Timetable timetable) {
    return DueSlots.of(timetable, slot, now, MissedSlots.of(plan.missed()));
  }

  /** Returns the principal who put the schedule, as a caller. */
  SecurityContext caller() {
    return SecurityContext.of(job.principal(), which.tenant())
        .correlationId("schedule:" + which.name())
        .build();
  }

  // A slot that comes a second time has a job of its own.
  private String again() {
    return rewinds == 0 ? "" : "#" + rewinds;
  }

  /**
   * Returns the request for the job of a slot. It is the same in every process that fires the slot.
   */
  JobRequest<RawValue, Object> request(Instant slot, Duration delay) {
    var type =
        JobType.restartable(job.handler(), RawValue.class, Object.class)
            .queue(job.queue())
            .retry(RetryPolicy.exponential(job.maxAttempts()));
    var request =
        type.request(new RawValue(job.input().data()))
            .key("schedule:%s@%s%s".formatted(which.name(), slot, again()))
            .priority(job.priority())
            .delay(delay)
            .metadata(ScheduleRequest.SCHEDULE, which.name())
            .metadata(ScheduleRequest.SLOT, slot.toString());
    var metadata = Metadata.of(job.metadata().orElse(null));
    for (var value : metadata.values().entrySet()) {
      request = request.metadata(value.getKey(), value.getValue());
    }
    for (var text : metadata.texts().entrySet()) {
      request = request.metadata(text.getKey(), text.getValue());
    }
    return job.timeout().map(request::timeout).orElse(request);
  }
}
