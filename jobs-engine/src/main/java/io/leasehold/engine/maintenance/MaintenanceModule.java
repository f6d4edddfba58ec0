package io.leasehold.engine.maintenance;

import com.google.inject.AbstractModule;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.leasehold.engine.maintenance.MaintenanceTask.Who;
import io.leasehold.engine.maintenance.cancels.FollowCancels;
import io.leasehold.engine.maintenance.dependencies.FollowDependents;
import io.leasehold.engine.maintenance.fleet.Registry;
import io.leasehold.engine.maintenance.rescue.Rescue;
import io.leasehold.engine.maintenance.retention.PruneDays;
import io.leasehold.engine.maintenance.retention.RemoveElsewhere;
import io.leasehold.engine.metrics.QueueDepths;
import io.leasehold.engine.time.delayed.MoveInTime;
import io.leasehold.engine.time.delayed.WatchClock;
import io.leasehold.engine.time.schedules.FireInTime;
import io.leasehold.engine.work.outputs.SweepOutputs;
import java.time.Duration;

/** The list of all maintenance tasks: who runs each of them, and how often. */
public final class MaintenanceModule extends AbstractModule {

  private static final Duration FOLLOW_CANCELS_EVERY = Duration.ofSeconds(1);
  private static final Duration MIRRORS_EVERY = Duration.ofMillis(500);
  private static final Duration PRUNE_EVERY = Duration.ofMinutes(1);
  private static final Duration SWEEP_EVERY = Duration.ofMinutes(10);
  private static final Duration PREPARE_EVERY = Duration.ofHours(1);
  private static final Duration MEASURE_EVERY = Duration.ofSeconds(15);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  @ProvidesIntoSet
  static MaintenanceTask signIn(Registry registry, Rhythm rhythm) {
    return MaintenanceTask.periodic(
        Who.WORKERS,
        "sign in",
        "the registration of the worker",
        rhythm.heartbeatEvery(),
        registry::signIn);
  }

  @ProvidesIntoSet
  static MaintenanceTask look(WatchClock watchClock) {
    return MaintenanceTask.periodic(
        Who.OTHERS, "look", "the check of the database", LOOK_EVERY, watchClock::look);
  }

  @ProvidesIntoSet
  static MaintenanceTask dependents(FollowDependents dependents) {
    return MaintenanceTask.loop(Who.ALL, "dependents", dependents);
  }

  @ProvidesIntoSet
  static MaintenanceTask move(MoveInTime move) {
    return MaintenanceTask.loop(Who.MAINTAINERS, "move", move);
  }

  @ProvidesIntoSet
  static MaintenanceTask fire(FireInTime fire) {
    return MaintenanceTask.loop(Who.MAINTAINERS, "fire", fire);
  }

  @ProvidesIntoSet
  static MaintenanceTask prepare(PrepareTables prepare, Rhythm rhythm) {
    return MaintenanceTask.periodic(
        Who.MAINTAINERS,
        "prepare",
        "the creation of partitions",
        PREPARE_EVERY,
        () -> prepare.days(rhythm.daysAhead()));
  }

  @ProvidesIntoSet
  static MaintenanceTask analyse(PrepareTables prepare) {
    return MaintenanceTask.periodic(
        Who.MAINTAINERS, "analyse", "the analysis of the tables", PREPARE_EVERY, prepare::analyse);
  }

  @ProvidesIntoSet
  static MaintenanceTask measure(QueueDepths depths) {
    return MaintenanceTask.periodic(
        Who.MAINTAINERS, "measure", "the count of waiting jobs", MEASURE_EVERY, depths::measure);
  }

  @ProvidesIntoSet
  static MaintenanceTask mirrors(CatchUpMirrors mirrors) {
    return MaintenanceTask.periodic(
        Who.MAINTAINERS, "mirrors", "the update of late mirrors", MIRRORS_EVERY, mirrors::catchUp);
  }

  @ProvidesIntoSet
  static MaintenanceTask rescue(Rescue rescue, Rhythm rhythm) {
    return MaintenanceTask.periodic(
        Who.LEADER, "rescue", "the rescue of lost jobs", rhythm.rescueEvery(), rescue::rescue);
  }

  @ProvidesIntoSet
  static MaintenanceTask cancels(FollowCancels cancels) {
    return MaintenanceTask.periodic(
        Who.LEADER, "cancels", "the end of cancelled jobs", FOLLOW_CANCELS_EVERY, cancels::follow);
  }

  @ProvidesIntoSet
  static MaintenanceTask prune(PruneDays prune, Rhythm rhythm) {
    return MaintenanceTask.periodic(
        Who.LEADER,
        "prune",
        "the removal of old jobs",
        PRUNE_EVERY,
        () -> prune.prune(rhythm.retention()));
  }

  @ProvidesIntoSet
  static MaintenanceTask outputs(SweepOutputs sweep) {
    return MaintenanceTask.periodic(
        leaderIf(sweep.isOn()),
        "outputs",
        "the removal of files that jobs left",
        SWEEP_EVERY,
        sweep::sweep);
  }

  @ProvidesIntoSet
  static MaintenanceTask elsewhere(RemoveElsewhere elsewhere) {
    return MaintenanceTask.periodic(
        leaderIf(elsewhere.isOn()),
        "elsewhere",
        "the removal of external data of jobs",
        SWEEP_EVERY,
        elsewhere::remove);
  }

  @ProvidesIntoSet
  static MaintenanceTask registry(Registry registry, Rhythm rhythm) {
    return MaintenanceTask.periodic(
        Who.LEADER,
        "registry",
        "the clean-up of the worker registry",
        rhythm.heartbeatEvery(),
        () -> registry.tidy(rhythm.staleAfter()));
  }

  // A process that cannot do the work must not lead.
  private static Who leaderIf(boolean isOn) {
    return isOn ? Who.LEADER : Who.NONE;
  }
}
