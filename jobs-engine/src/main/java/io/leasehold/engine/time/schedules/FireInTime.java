package io.leasehold.engine.time.schedules;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.ErrorText;
import io.leasehold.engine.log.LogKeys;
import io.leasehold.engine.log.PeriodicTaskLog;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.time.delayed.Alarm;
import io.leasehold.engine.time.delayed.InTime;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.ErrorCode.Blame;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.TenantId;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
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
 * Fires the schedules of all tenants when their slots come, each in a transaction of its own. Every
 * process with the maintenance role does so; a slot is fired once.
 *
 * <p>Each process takes the schedules that have been due for longest in a random order. If many are
 * due at once, as at midnight, two processes then seldom try the same one.
 */
public final class FireInTime implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(FireInTime.class);

  private static final TransactionOptions ONE = TransactionOptions.defaults().asOneStatement();
  private static final int LOOKED_AT = 500;
  private static final int AT_ONCE = 20;
  private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

  private final PeriodicTaskLog outages = new PeriodicTaskLog(log, "the firing of due schedules");
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

  /** Fires schedules until the thread is interrupted. */
  @Override
  public void run() {
    inTime.run();
  }

  /** The schedules to skip in this pass: single schedules, and all schedules of a tenant. */
  private static final class PassedOver {

    private final Set<DueSchedule.Key> schedules = new HashSet<>();
    private final Set<TenantId> tenants = new HashSet<>();

    void add(DueSchedule.Key schedule) {
      schedules.add(schedule);
    }

    void add(TenantId tenant) {
      tenants.add(tenant);
    }

    boolean has(DueSchedule.Key schedule) {
      return schedules.contains(schedule) || tenants.contains(schedule.tenant());
    }

    void clear() {
      schedules.clear();
      tenants.clear();
    }
  }

  /** Announces a slot that is due after {@code delay}. */
  void wakeIn(Duration delay) {
    alarm.wakeIn(delay);
  }

  // A schedule that is still due is locked by another process or has failed. Either takes longer
  // than a moment.
  private Optional<Duration> fireAndLook() {
    heal();
    fire();
    return transactions.asEngine(ONE, FindDue::next).filter(Duration::isPositive);
  }

  /** Heals schedules that are ahead of the database's clock, so that they continue. */
  void heal() {
    var healed = transactions.asEngine(ONE, HealSchedules::isNeeded) ? LOOKED_AT : 0;
    while (healed == LOOKED_AT) {
      healed = transactions.asEngine(tx -> HealSchedules.heal(tx, LOOKED_AT));
    }
  }

  /** Fires all due schedules, except those that another process has locked and those that fail. */
  void fire() {
    var passedOver = new PassedOver();
    var since = System.nanoTime();
    while (fireAll(passedOver)) { // A fired schedule may be due again.
      if (System.nanoTime() - since > TRY_AGAIN.toNanos()) {
        passedOver.clear(); // Needed if schedules are always due.
        since = System.nanoTime();
      }
    }
  }

  // This reads page by page: however many of the schedules that have been due for longest cannot be
  // fired, the schedules after them are.
  private boolean fireAll(PassedOver passedOver) {
    var fired = false;
    setAside(transactions.asEngine(ONE, MoveOn::putTimelessAside));
    var page = page(Optional.empty());
    while (!page.isEmpty()) {
      fired |= fire(page, passedOver);
      page = page(Optional.of(page.getLast()));
    }
    return fired;
  }

  private List<FindDue.Place> page(Optional<FindDue.Place> after) {
    return transactions.asEngine(ONE, tx -> FindDue.places(tx, after, LOOKED_AT));
  }

  private boolean fire(List<FindDue.Place> page, PassedOver passedOver) {
    var keys = new ArrayList<>(page.stream().map(FindDue.Place::which).toList());
    keys.removeIf(passedOver::has);
    Collections.shuffle(keys, random);
    var fired = false;
    for (var from = 0; from < keys.size(); from += AT_ONCE) {
      var some = keys.subList(from, Math.min(from + AT_ONCE, keys.size()));
      fired |= fireSome(some, passedOver);
    }
    return fired;
  }

  private boolean fireSome(List<DueSchedule.Key> some, PassedOver passedOver) {
    var loaded = transactions.asEngine(tx -> FindDue.load(tx, some));
    for (var schedule : loaded.unreadable()) {
      putAside(schedule.which(), schedule.revision(), schedule.slot(), schedule.problem());
      passedOver.add(schedule.which());
    }
    var fired = false;
    for (var due : loaded.due()) {
      if (!passedOver.has(due.which())) {
        fired |= fire(due, passedOver);
      }
    }
    return fired;
  }

  private boolean fire(DueSchedule due, PassedOver passedOver) {
    var fired = isFired(due, passedOver);
    if (!fired) {
      passedOver.add(due.which());
    }
    return fired;
  }

  private boolean isFired(DueSchedule due, PassedOver passedOver) {
    try {
      var fired = fireSchedule.fire(due);
      outages.succeeded();
      return fired;
    } catch (JobsException e) {
      if (e.code() == ErrorCode.LOCK_TIMEOUT) {
        passedOver.add(due.which().tenant()); // Each of its schedules could take as long.
      }
      if (e.code().blame() == Blame.CALLER) {
        putAside(due, e.code() + ": " + ErrorText.of(e));
      } else if (e.code().isOutage() || e.code() == ErrorCode.POOL_EXHAUSTED) {
        outages.failed(e); // An error of the database, which affects all schedules.
      } else {
        about(due).log("a schedule could not be fired, retrying: {}", PeriodicTaskLog.reason(e));
      }
    } catch (RuntimeException e) {
      putAside(due, ErrorText.of(e));
    } catch (LinkageError | AssertionError | StackOverflowError e) {
      // The error comes from an interceptor, which belongs to the service. The service's other
      // schedules must not wait for this one.
      about(due).log("a schedule could not be fired, retrying: {}", e.getClass());
    }
    return false;
  }

  private void putAside(DueSchedule due, String error) {
    putAside(due.which(), due.revision(), due.slot(), error);
  }

  // A schedule that cannot be put aside must not delay others, whatever is thrown.
  private void putAside(DueSchedule.Key which, long revision, Instant slot, String error) {
    try {
      if (transactions.asEngine(tx -> MoveOn.putAside(tx, which, revision, slot, error))) {
        setAside(1);
        about(which).log("a schedule cannot be fired, and is put aside; its owner is told why");
      }
    } catch (RuntimeException e) {
      about(which)
          .log("a schedule is not put aside, which is tried again: {}", e.getClass().getName());
    }
  }

  private void setAside(int schedules) {
    for (var i = 0; i < schedules; i++) {
      meters.scheduleAside();
    }
  }

  private static LoggingEventBuilder about(DueSchedule due) {
    return about(due.which());
  }

  // The log contains neither the schedule's name nor its error, since both are the tenant's text.
  private static LoggingEventBuilder about(DueSchedule.Key which) {
    return log.atWarn().addKeyValue(LogKeys.TENANT, which.tenant());
  }
}
