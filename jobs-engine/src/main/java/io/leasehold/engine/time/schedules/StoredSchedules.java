package io.leasehold.engine.time.schedules;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.service.query.Pages;
import io.leasehold.engine.service.submit.AdmitRequest;
import io.leasehold.engine.time.cron.CronExpression;
import io.leasehold.engine.time.cron.StoredTimes;
import io.leasehold.engine.time.cron.Timetable;
import io.leasehold.engine.time.schedules.ReadSchedules.Stored;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantTransaction;
import io.leasehold.jobs.schedules.Schedule;
import io.leasehold.jobs.schedules.Schedule.State;
import io.leasehold.jobs.schedules.SchedulePage;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.jobs.schedules.Schedules;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The schedules of the caller's tenant, with one transaction for each call. */
public final class StoredSchedules implements Schedules {

  private static final int LIMIT_MAX = 200;
  private static final int COUNT_MAX = 100;
  private static final TransactionOptions ONE_STATEMENT =
      TransactionOptions.defaults().asOneStatement();

  private final Transactions transactions;
  private final FireInTime firing;

  @Inject
  StoredSchedules(Transactions transactions, FireInTime firing) {
    this.transactions = transactions;
    this.firing = firing;
  }

  @Override
  public Schedule put(SecurityContext caller, ScheduleRequest request) {
    var timetable = admitted(request);
    return transactions.asTenant(caller, tx -> put(tx, request, timetable));
  }

  @Override
  public Schedule put(TenantTransaction tx, ScheduleRequest request) {
    // This check comes before the transaction is used, which can continue if the request is
    // refused.
    var timetable = admitted(request);
    return transactions.within(tx, scoped -> put(scoped, request, timetable));
  }

  private static Timetable admitted(ScheduleRequest request) {
    var cron = CronExpression.of(request.cron());
    AdmitRequest.requireTaken(request.job());
    return new Timetable(cron, request.zone(), request.startAt(), request.endAt());
  }

  private Schedule put(ScopedTransaction tx, ScheduleRequest request, Timetable timetable) {
    var now = StoredTimes.now(tx.dsl());
    PutSchedule.put(tx, request, timetable.next(now));
    var stored = ReadSchedules.find(tx, request.name()).orElseThrow().schedule();
    wakeAfterCommit(tx, now, stored.nextAt());
    return stored;
  }

  private void wakeAfterCommit(ScopedTransaction tx, Instant now, Optional<Instant> next) {
    next.map(slot -> Duration.between(now, slot))
        .ifPresent(delay -> tx.afterCommit(() -> firing.wakeIn(delay)));
  }

  @Override
  public Optional<Schedule> find(SecurityContext caller, String name) {
    return transactions.asTenant(
        caller, ONE_STATEMENT, tx -> ReadSchedules.find(tx, name).map(Stored::schedule));
  }

  @Override
  public SchedulePage list(SecurityContext caller, Optional<String> after, int limit) {
    Pages.requireLimit(limit, LIMIT_MAX);
    return transactions.asTenant(caller, ONE_STATEMENT, tx -> ReadSchedules.list(tx, after, limit));
  }

  @Override
  public List<Instant> next(SecurityContext caller, String name, int count) {
    if (count < 1 || count > COUNT_MAX) {
      throw new IllegalArgumentException(
          "count must be 1 to %d, not %d".formatted(COUNT_MAX, count));
    }
    return find(caller, name).map(schedule -> next(schedule, count)).orElse(List.of());
  }

  private static List<Instant> next(Schedule schedule, int count) {
    return schedule.nextAt().map(first -> next(schedule, first, count)).orElse(List.of());
  }

  private static List<Instant> next(Schedule schedule, Instant first, int count) {
    try {
      var timetable = timetable(schedule);
      var slots = new ArrayList<Instant>();
      var slot = Optional.of(first);
      while (slot.isPresent() && slots.size() < count) {
        slots.add(slot.get());
        slot = timetable.next(slot.get());
      }
      return slots;
    } catch (IllegalArgumentException e) {
      return List.of(first); // The schedule will be put aside later.
    }
  }

  private static Timetable timetable(Schedule schedule) {
    return Timetable.of(schedule.cron(), schedule.zone(), schedule.startAt(), schedule.endAt());
  }

  @Override
  public boolean pause(SecurityContext caller, String name) {
    return transactions.asTenant(caller, ONE_STATEMENT, tx -> ChangeSchedule.pause(tx, name));
  }

  @Override
  public boolean pause(TenantTransaction tx, String name) {
    return transactions.within(tx, scoped -> ChangeSchedule.pause(scoped, name));
  }

  @Override
  public boolean resume(SecurityContext caller, String name) {
    return transactions.asTenant(caller, tx -> resume(tx, name));
  }

  @Override
  public boolean resume(TenantTransaction tx, String name) {
    return transactions.within(tx, scoped -> resume(scoped, name));
  }

  // If the schedule was replaced in the meantime, it has other slots and is read again.
  private boolean resume(ScopedTransaction tx, String name) {
    var found = ReadSchedules.find(tx, name);
    while (found.isPresent() && rests(found.get().schedule()) && !resumed(tx, found.get())) {
      found = ReadSchedules.find(tx, name);
    }
    return found.isPresent();
  }

  private static boolean rests(Schedule schedule) {
    return schedule.state() == State.PAUSED || schedule.state() == State.ASIDE;
  }

  private boolean resumed(ScopedTransaction tx, Stored stored) {
    var now = StoredTimes.now(tx.dsl());
    var next = timetable(stored.schedule()).next(now);
    wakeAfterCommit(tx, now, next);
    return ChangeSchedule.resume(tx, stored.schedule().name(), stored.revision(), next);
  }

  @Override
  public boolean remove(SecurityContext caller, String name) {
    return transactions.asTenant(caller, ONE_STATEMENT, tx -> ChangeSchedule.remove(tx, name));
  }

  @Override
  public boolean remove(TenantTransaction tx, String name) {
    return transactions.within(tx, scoped -> ChangeSchedule.remove(scoped, name));
  }
}
