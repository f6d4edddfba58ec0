package io.leasehold.engine.cron;

import io.leasehold.db.Transactions;
import io.leasehold.engine.attempt.ErrorText;
import io.leasehold.engine.log.LogKeys;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.schedule.Alarm;
import io.leasehold.engine.schedule.InTime;
import io.leasehold.jobs.ErrorCode.Blame;
import io.leasehold.jobs.JobsException;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Fires schedules when their slots come, of all tenants, each in a transaction of its own. Every
 * process with the role of maintenance does it; a slot is fired once.
 *
 * <p>Each goes through those that have been due for longest in an order of its own, by chance, so
 * that of many that are due at once, as at midnight, they seldom take the same.
 */
public final class FireInTime implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(FireInTime.class);

  private static final int LOOKED_AT = 500;
  private static final int AT_ONCE = 20;
  private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

  private final Transactions transactions;
  private final FireSchedule fireSchedule;
  private final JobMeters meters;
  private final RandomGenerator random;
  private final Alarm alarm = new Alarm();
  private final InTime inTime;

  @Inject
  FireInTime(
      Transactions transactions,
      FireSchedule fireSchedule,
      JobMeters meters,
      RandomGenerator random) {
    this.transactions = transactions;
    this.fireSchedule = fireSchedule;
    this.meters = meters;
    this.random = random;
    this.inTime = new InTime("the firing of schedules", alarm, random, this::fireAndLook);
  }

  /** Fires until the thread is interrupted. */
  @Override
  public void run() {
    inTime.run();
  }

  /** There is a slot in so long. */
  void wakeIn(Duration delay) {
    alarm.wakeIn(delay);
  }

  // What is due still is held by another, or failed: both take longer than a moment.
  private Optional<Duration> fireAndLook() {
    fire();
    return transactions.asEngine(FindDue::next).filter(Duration::isPositive);
  }

  /** Fires all that are due, but for those that somebody else holds, or that fail. */
  void fire() {
    var passedOver = new HashSet<DueSchedule.Key>();
    var since = System.nanoTime();
    while (fireAll(passedOver)) { // What was fired may be due again.
      if (System.nanoTime() - since > TRY_AGAIN.toNanos()) {
        passedOver.clear(); // Also where there is always something to fire.
        since = System.nanoTime();
      }
    }
  }

  // Page by page: however many of those that have been due for longest cannot be fired, the ones
  // behind them are.
  private boolean fireAll(Set<DueSchedule.Key> passedOver) {
    var fired = false;
    var page = page(Optional.empty());
    while (!page.isEmpty()) {
      fired |= fire(page, passedOver);
      page = page(Optional.of(page.getLast()));
    }
    return fired;
  }

  private List<FindDue.Place> page(Optional<FindDue.Place> after) {
    return transactions.asEngine(tx -> FindDue.places(tx, after, LOOKED_AT));
  }

  private boolean fire(List<FindDue.Place> page, Set<DueSchedule.Key> passedOver) {
    var keys = new ArrayList<>(page.stream().map(FindDue.Place::which).toList());
    keys.removeAll(passedOver);
    Collections.shuffle(keys, random);
    var fired = false;
    for (var from = 0; from < keys.size(); from += AT_ONCE) {
      var some = keys.subList(from, Math.min(from + AT_ONCE, keys.size()));
      for (var due : transactions.asEngine(tx -> FindDue.load(tx, some))) {
        if (fire(due)) {
          fired = true;
        } else {
          passedOver.add(due.which());
        }
      }
    }
    return fired;
  }

  private boolean fire(DueSchedule due) {
    try {
      return fireSchedule.fire(due);
    } catch (JobsException e) {
      if (e.code().blame() == Blame.CALLER) {
        putAside(due, e.code().name());
      } else {
        about(due).log("a schedule could not be fired, and is tried again: {}", e.getMessage());
      }
    } catch (RuntimeException e) {
      putAside(due, ErrorText.of(e));
    } catch (LinkageError | AssertionError | StackOverflowError e) {
      // Of an interceptor, which is the service's own: its others must not wait for this one.
      about(due).log("a schedule could not be fired, and is tried again: {}", e.getClass());
    }
    return false;
  }

  private void putAside(DueSchedule due, String error) {
    try {
      if (transactions.asTenant(due.caller(), tx -> MoveOn.putAside(tx, due, error))) {
        meters.scheduleAside();
        about(due).log("a schedule cannot be fired, and is put aside; its owner is told why");
      }
    } catch (JobsException e) {
      about(due).log("a schedule is not put aside, which is tried again: {}", e.getMessage());
    }
  }

  // Neither its name nor what is wrong with it: both are the tenant's own words.
  private static LoggingEventBuilder about(DueSchedule due) {
    return log.atWarn().addKeyValue(LogKeys.TENANT, due.which().tenant());
  }
}
