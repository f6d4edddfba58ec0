package io.leasehold.engine;

import io.leasehold.db.Notifications;
import io.leasehold.engine.EngineHealth.Phase;
import io.leasehold.engine.EngineHealth.Status;
import io.leasehold.engine.maintenance.Duties;
import io.leasehold.engine.metrics.SignsOfLife;
import io.leasehold.engine.work.run.Worker;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;

/**
 * Reports the health of the engine from the latest observations of its parts. The engine queries
 * the database for due jobs at least once a second, so there is always a recent observation.
 */
final class CheckHealth {

  /**
   * Grace period for lost connections: one broken connection is not an outage, since the next
   * statement uses another one.
   */
  private static final Duration AWAY = Duration.ofSeconds(2);

  private static final Duration SLOW = Duration.ofSeconds(5);
  private static final Duration GONE = Duration.ofSeconds(15);
  private static final Duration SILENT = Duration.ofSeconds(10);
  private static final Duration CLOCK_TOLD_FOR = Duration.ofMinutes(15);

  private final SignsOfLife signs;
  private final Notifications notifications;
  private final Worker worker;
  private final Duties duties;

  /** Until this time after the start, the listener may not have received anything yet. */
  private volatile long hearsAt = System.nanoTime();

  /** The phase reported by a process without a worker. */
  private volatile Phase idle = Phase.NEW;

  @Inject
  CheckHealth(SignsOfLife signs, Notifications notifications, Worker worker, Duties duties) {
    this.signs = signs;
    this.notifications = notifications;
    this.worker = worker;
    this.duties = duties;
  }

  /** Records that the engine was started. */
  void started() {
    hearsAt = System.nanoTime() + SILENT.toNanos();
    idle = Phase.ABSENT;
  }

  /** Records that the engine was stopped. */
  void stopped() {
    idle = Phase.STOPPED;
  }

  EngineHealth check() {
    return new EngineHealth(database(), listener(), worker());
  }

  private EngineHealth.Database database() {
    var answered = signs.databaseAnsweredAgo();
    return new EngineHealth.Database(
        database(answered), answered, signs.clockWentBackBy(CLOCK_TOLD_FOR));
  }

  private Status database(Optional<Duration> answered) {
    var away = signs.isDatabaseAway();
    if (isOver(answered, GONE) || (away && isOver(answered, AWAY))) {
      return Status.DOWN;
    }
    return away || isOver(answered, SLOW) || refusesLately() || isClockBack()
        ? Status.DEGRADED
        : Status.UP;
  }

  private boolean isClockBack() {
    return signs.clockWentBackBy(CLOCK_TOLD_FOR).isPresent();
  }

  // The engine repeats a refused query at least once a second, so an ongoing refusal is always
  // recent.
  private boolean refusesLately() {
    return signs.databaseRefusedAgo().filter(ago -> ago.compareTo(SLOW) <= 0).isPresent();
  }

  private EngineHealth.Listener listener() {
    var silent = notifications.silentFor();
    var isGood = silent.isPresent() ? !isOver(silent, SILENT) : System.nanoTime() - hearsAt < 0;
    return new EngineHealth.Listener(
        isGood || !notifications.areOn() ? Status.UP : Status.DEGRADED,
        notifications.areOn(),
        silent);
  }

  private EngineHealth.Worker worker() {
    var phase = duties.works() ? Phase.valueOf(worker.phase().name()) : idle;
    var stuck = worker.stuck();
    return new EngineHealth.Worker(
        phase == Phase.WORKING && stuck > 0 ? Status.DEGRADED : phase.status(),
        phase,
        signs.claimedAgo(),
        signs.renewedAgo(),
        stuck);
  }

  private static boolean isOver(Optional<Duration> age, Duration most) {
    return age.isEmpty() || age.get().compareTo(most) > 0;
  }
}
