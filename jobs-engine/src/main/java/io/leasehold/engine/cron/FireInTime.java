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
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Fires schedules when their slots come, of all tenants, each in a transaction of its own. Every
 * process with the role of maintenance does it; a slot is fired once.
 *
 * <p>Each takes some by chance of those that have been due for longest, so that of many that are
 * due at once, as at midnight, they seldom take the same.
 */
public final class FireInTime implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(FireInTime.class);

  private static final int LOOKED_AT = 500;
  private static final int AT_ONCE = 20;

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
    var failed = new HashSet<DueSchedule.Key>();
    int fired;
    do {
      fired = 0;
      for (var due : transactions.asEngine(tx -> FindDue.load(tx, some(tx, failed)))) {
        fired += fire(due, failed) ? 1 : 0;
      }
    } while (fired > 0);
  }

  private List<DueSchedule.Key> some(DSLContext tx, Set<DueSchedule.Key> failed) {
    var due = new ArrayList<>(FindDue.keys(tx, LOOKED_AT));
    due.removeAll(failed);
    Collections.shuffle(due, random);
    return due.subList(0, Math.min(due.size(), AT_ONCE));
  }

  private boolean fire(DueSchedule due, Set<DueSchedule.Key> failed) {
    try {
      return fireSchedule.fire(due);
    } catch (JobsException e) {
      failed.add(due.which());
      if (e.code().blame() == Blame.CALLER) {
        putAside(due, e.code().name());
      } else {
        about(due).log("a schedule could not be fired, and is tried again: {}", e.getMessage());
      }
    } catch (RuntimeException e) {
      failed.add(due.which());
      putAside(due, ErrorText.of(e));
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
