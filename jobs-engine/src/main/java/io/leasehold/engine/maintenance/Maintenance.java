package io.leasehold.engine.maintenance;

import io.leasehold.engine.log.PeriodicTaskLog;
import io.leasehold.engine.maintenance.fleet.Registry;
import io.leasehold.engine.threads.Lasting;
import io.leasehold.engine.threads.PeriodicTask;
import io.leasehold.jobs.JobsException;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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

  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private final Set<MaintenanceTask> tasks;
  private final Leads leads;
  private final Registry registry;
  private final RandomGenerator random;
  private final Duties duties;
  private final List<Thread> threads = new ArrayList<>();

  @Inject
  Maintenance(
      Set<MaintenanceTask> tasks,
      Leads leads,
      Registry registry,
      RandomGenerator random,
      Duties duties) {
    this.tasks = tasks;
    this.leads = leads;
    this.registry = registry;
    this.random = random;
    this.duties = duties;
  }

  /** Starts the tasks. The worker is registered on return, if the database is reachable. */
  public void start() {
    if (duties.works()) {
      signIn();
    }
    tasks.stream()
        .filter(task -> isOurs(task.who()))
        .forEach(task -> threads.add(Lasting.start(task.name(), repeated(task))));
  }

  private void signIn() {
    try {
      registry.signIn();
    } catch (JobsException e) {
      log.warn("the worker could not be registered, retrying: {}", PeriodicTaskLog.reason(e));
    }
  }

  private boolean isOurs(MaintenanceTask.Who who) {
    return switch (who) {
      case ALL -> true;
      case WORKERS -> duties.works();
      case MAINTAINERS, LEADER -> duties.maintains();
      case OTHERS -> !duties.maintains();
      case NONE -> false;
    };
  }

  private Runnable repeated(MaintenanceTask task) {
    return task.every().<Runnable>map(every -> periodic(task, every)).orElse(task.work());
  }

  // A leader that is late once remains the leader.
  private PeriodicTask periodic(MaintenanceTask task, Duration every) {
    Runnable work =
        task.who() == MaintenanceTask.Who.LEADER
            ? () -> leads.asLeader(task.name(), every.multipliedBy(2), task.work())
            : task.work();
    return new PeriodicTask(task.description(), every, random, work);
  }

  /** Stops within about a second, and gives up the lead to other processes. */
  public void stop() {
    threads.forEach(Thread::interrupt);
    try {
      var deadline = System.nanoTime() + LAST_WORDS.toNanos();
      for (var thread : threads) {
        thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
      }
      leads.giveUp();
      registry.signOut();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (JobsException e) {
      log.warn(
          "could not give up the lead and unregister the worker, both will expire: {}",
          PeriodicTaskLog.reason(e));
    }
  }
}
