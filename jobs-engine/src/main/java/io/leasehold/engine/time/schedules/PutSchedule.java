package io.leasehold.engine.time.schedules;

import static io.leasehold.db.schema.Tables.PUT_SCHEDULE;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.engine.service.submit.Requests;
import io.leasehold.engine.time.cron.StoredTimes;
import io.leasehold.jobs.schedules.ScheduleRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Creates or replaces a schedule, in the caller's transaction. */
final class PutSchedule {

  private static final String LONGEST_SLOT = "9999-12-31T23:59:59.999999999Z";

  private PutSchedule() {}

  /**
   * Stores the schedule.
   *
   * @param next its next slot, unless the schedule keeps its current one; empty if there is none
   */
  static void put(ScopedTransaction tx, ScheduleRequest request, Optional<Instant> next) {
    var job = request.job();
    requireRoom(request);
    var put =
        PUT_SCHEDULE.call(
            request.name(),
            request.cron().strip(),
            request.zone().getId(),
            StoredTimes.stored(request.startAt()),
            StoredTimes.stored(request.endAt()),
            request.jitter().toMillis(),
            request.missed().word(),
            job.type().handler().value(),
            job.type().queue(),
            (short) job.priority(),
            (short) job.maxAttempts(),
            job.timeout().map(Duration::toMillis).orElse(null),
            Requests.input(job),
            Requests.metadata(job),
            tx.caller().principal(),
            StoredTimes.stored(next));
    tx.dsl().select(put.NAME).from(put).fetchSingle();
  }

  // The jobs of a schedule carry its name and their slot in the metadata, which need room for both.
  private static void requireRoom(ScheduleRequest request) {
    Requests.metadata(
        request
            .job()
            .metadata(ScheduleRequest.SCHEDULE, request.name())
            .metadata(ScheduleRequest.SLOT, LONGEST_SLOT));
  }
}
