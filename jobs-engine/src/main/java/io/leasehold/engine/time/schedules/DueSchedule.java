package io.leasehold.engine.time.schedules;

import io.leasehold.engine.service.values.Metadata;
import io.leasehold.engine.time.cron.Timetable;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.MissedSlots;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.ScheduleRequest;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jooq.JSON;
import tools.jackson.databind.util.RawValue;

/**
 * A schedule whose next slot has come, as it is stored: what it says is understood when it is
 * fired, so that one which cannot be understood is no other's concern.
 *
 * @param which it is
 * @param revision of what was put
 * @param slot that is next
 * @param now by the database's clock
 * @param rewinds how often its slots came again because that clock went back
 * @param plan when its slots are
 * @param job what is submitted
 */
record DueSchedule(
    Key which, long revision, Instant slot, Instant now, int rewinds, Plan plan, Template job) {

  /** Tells a schedule from all others. */
  record Key(TenantId tenant, String name) {}

  /** When the slots of a schedule are, in its own words. */
  record Plan(
      String cron,
      String zone,
      Optional<Instant> startAt,
      Optional<Instant> endAt,
      Duration jitter,
      String missed) {}

  /** What a schedule submits, in its own words. */
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

  /** The slots that have jobs now. */
  List<Instant> slots(Timetable timetable) {
    return DueSlots.of(timetable, slot, now, MissedSlots.of(plan.missed()));
  }

  /** Whoever put it. */
  SecurityContext caller() {
    return SecurityContext.of(job.principal(), which.tenant())
        .correlationId("schedule:" + which.name())
        .build();
  }

  // A slot that comes a second time has a job of its own.
  private String again() {
    return rewinds == 0 ? "" : "#" + rewinds;
  }

  /** The job of a slot: the same for whoever fires it. */
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
