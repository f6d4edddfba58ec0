package io.leasehold.engine.maintenance;

import io.leasehold.engine.log.PeriodicTaskLog;
import io.leasehold.engine.maintenance.dependencies.FollowDependents;
import io.leasehold.engine.metrics.QueueDepths;
import io.leasehold.engine.threads.Lasting;
import io.leasehold.engine.threads.PeriodicTask;
import io.leasehold.engine.time.delayed.MoveInTime;
import io.leasehold.engine.time.schedules.FireInTime;
import io.leasehold.jobs.JobsException;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the queue in order. Each task runs in its own thread, so that it does not delay another
 * task or fail with it. Some tasks are run by every process that has the duty; for the others, one
 * process is the leader. It is harmless if several processes run the same task. Started and stopped
 * once.
 */
public final class Maintenance {

  private static final Logger log = LoggerFactory.getLogger(Maintenance.class);

  private static final Duration FOLLOW_CANCELS_EVERY = Duration.ofSeconds(1);
  private static final Duration MIRRORS_EVERY = Duration.ofMillis(500);
  private static final Duration PRUNE_EVERY = Duration.ofMinutes(1);
  private static final Duration SWEEP_EVERY = Duration.ofMinutes(10);
  private static final Duration PREPARE_EVERY = Duration.ofHours(1);
  private static final Duration MEASURE_EVERY = Duration.ofSeconds(15);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private final MaintenanceTasks chores;
  private final Movers movers;
  private final RandomGenerator random;
  private final Rhythm rhythm;
  private final QueueDepths queueDepths;
  private final Duties duties;
  private final List<Thread> threads = new ArrayList<>();

  @Inject
  Maintenance(
      MaintenanceTasks chores,
      Movers movers,
      RandomGenerator random,
      Rhythm rhythm,
      QueueDepths queueDepths,
      Duties duties) {
    this.chores = chores;
    this.movers = movers;
    this.random = random;
    this.rhythm = rhythm;
    this.queueDepths = queueDepths;
    this.duties = duties;
  }

  /** The tasks that make jobs claimable once nothing blocks them any more. */
  record Movers(MoveInTime inTime, FireInTime atSlots, FollowDependents afterOthers) {

    @Inject
    Movers {}
  }

  /** Starts the tasks. The worker is registered on return, if the database is reachable. */
  public void start() {
    if (duties.works()) {
      signIn();
      everybody(
          "sign in", "the registration of the worker", rhythm.heartbeatEvery(), chores::signIn);
    }
    if (duties.maintains()) {
      maintain();
    } else {
      everybody("look", "the check of the database", LOOK_EVERY, chores::look);
    }
    keep("dependents", movers.afterOthers());
  }

  private void maintain() {
    keep("move", movers.inTime());
    keep("fire", movers.atSlots());
    everybody(
        "prepare",
        "the creation of partitions",
        PREPARE_EVERY,
        () -> chores.prepare(rhythm.daysAhead()));
    everybody("analyse", "the analysis of the tables", PREPARE_EVERY, chores::analyse);
    everybody("measure", "the count of waiting jobs", MEASURE_EVERY, queueDepths::measure);
    everybody("mirrors", "the update of late mirrors", MIRRORS_EVERY, chores::catchUpMirrors);
    leader("rescue", "the rescue of lost jobs", rhythm.rescueEvery(), chores::rescue);
    leader("cancels", "the end of cancelled jobs", FOLLOW_CANCELS_EVERY, chores::followCancels);
    leader("prune", "the removal of old jobs", PRUNE_EVERY, () -> chores.prune(rhythm.retention()));
    if (chores.hasOutputs()) { // Otherwise this process would lead without working.
      leader("outputs", "the removal of files that jobs left", SWEEP_EVERY, chores::sweepOutputs);
    }
    if (chores.hasPlacesElsewhere()) {
      leader(
          "elsewhere",
          "the removal of external data of jobs",
          SWEEP_EVERY,
          chores::removeElsewhere);
    }
    leader(
        "registry",
        "the clean-up of the worker registry",
        rhythm.heartbeatEvery(),
        () -> chores.tidyRegistry(rhythm.staleAfter()));
  }

  private void signIn() {
    try {
      chores.signIn();
    } catch (JobsException e) {
      log.warn("the worker could not be registered, retrying: {}", PeriodicTaskLog.reason(e));
    }
  }

  private void everybody(String thread, String name, Duration every, Runnable work) {
    keep(thread, new PeriodicTask(name, every, random, work));
  }

  // A leader that is late once remains the leader.
  private void leader(String duty, String name, Duration every, Runnable work) {
    everybody(duty, name, every, () -> chores.asLeader(duty, every.multipliedBy(2), work));
  }

  private void keep(String name, Runnable work) {
    threads.add(Lasting.start(name, work));
  }

  /** Stops within about a second, and gives up the lead to other processes. */
  public void stop() {
    threads.forEach(Thread::interrupt);
    try {
      var deadline = System.nanoTime() + LAST_WORDS.toNanos();
      for (var thread : threads) {
        thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
      }
      chores.leave();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (JobsException e) {
      log.warn(
          "could not unregister the worker, it will be marked stale: {}",
          PeriodicTaskLog.reason(e));
    }
  }
}
