package io.leasehold.engine.time.schedules;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.Transactions;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.time.schedules.MoveOn.Fired;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobService;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import tools.jackson.databind.util.RawValue;

/**
 * Submits the jobs of a due schedule and advances the schedule, in one transaction of its tenant.
 * Any number of processes may try at once: the schedule's row names the next slot, and only one
 * process gets it.
 */
final class FireSchedule {

  private final Transactions transactions;
  private final JobService jobs;
  private final RandomGenerator random;
  private final JobMeters meters;

  @Inject
  FireSchedule(
      Transactions transactions, JobService jobs, RandomGenerator random, JobMeters meters) {
    this.transactions = transactions;
    this.jobs = jobs;
    this.random = random;
    this.meters = meters;
  }

  /** Returns whether this call advanced the schedule. */
  boolean fire(DueSchedule due) {
    var timetable = due.timetable();
    var slots = due.slots(timetable);
    var next = timetable.next(due.now());
    var isFired = transactions.asTenant(due.caller(), tx -> fire(tx, due, slots, next));
    if (isFired) {
      slots.forEach(slot -> meters.slotFired(Duration.between(slot, due.now())));
    }
    return isFired;
  }

  private boolean fire(
      ScopedTransaction tx, DueSchedule due, List<Instant> slots, Optional<Instant> next) {
    if (!MoveOn.hold(tx, due)) {
      return false;
    }
    MoveOn.advance(tx, due, next, submitted(tx, due, slots));
    return true;
  }

  private Optional<Fired> submitted(ScopedTransaction tx, DueSchedule due, List<Instant> slots) {
    if (slots.isEmpty()) {
      return Optional.empty();
    }
    var requests = slots.stream().map(slot -> request(due, slot)).iterator();
    var last = jobs.submitAll(tx, requests).getLast();
    return Optional.of(new Fired(slots.getLast(), last.jobId()));
  }

  private JobRequest<RawValue, Object> request(DueSchedule due, Instant slot) {
    var jitter = due.plan().jitter().toMillis();
    return due.request(slot, Duration.ofMillis(jitter == 0 ? 0 : random.nextLong(jitter)));
  }
}
