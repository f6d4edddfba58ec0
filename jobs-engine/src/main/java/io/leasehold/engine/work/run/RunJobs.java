package io.leasehold.engine.work.run;

import io.leasehold.engine.log.AboutJob;
import io.leasehold.engine.metrics.AttemptOutcome;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.threads.AttemptThreads;
import io.leasehold.engine.time.delayed.Alarm;
import io.leasehold.engine.work.attempt.Attempt;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.engine.work.finish.Ending;
import io.leasehold.engine.work.finish.EndingWriter;
import io.leasehold.engine.work.handlers.HandlerRegistry;
import io.leasehold.jobs.StopReason;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes held jobs through their handlers to their endings, each on a virtual thread.
 *
 * <p>A slot is freed, and the lease no longer renewed, only when the ending is written or the lease
 * is known to be lost. Once either is the case, both always happen, whatever was thrown.
 */
@Singleton
final class RunJobs {

  private static final Logger log = LoggerFactory.getLogger(RunJobs.class);

  private final HandlerRegistry handlers;
  private final Attempt attempt;
  private final EndingWriter finisher;
  private final RunningJobs held;
  private final Alarm alarm;
  private final JobMeters meters;
  private final AttemptThreads threads = new AttemptThreads();

  /** Jobs whose endings are written but whose handlers are still running. */
  private final Set<RunningJob> stuck = ConcurrentHashMap.newKeySet();

  @Inject
  RunJobs(
      HandlerRegistry handlers,
      Attempt attempt,
      EndingWriter finisher,
      RunningJobs held,
      Alarm alarm,
      JobMeters meters) {
    this.handlers = handlers;
    this.attempt = attempt;
    this.finisher = finisher;
    this.held = held;
    this.alarm = alarm;
    this.meters = meters;
    meters.stuck(stuck::size);
  }

  /** Starts a job, and runs {@code free} when its slot is free again. Throws nothing. */
  void start(RunningJob job, Runnable free) {
    threads.start(job.job().id(), () -> run(job, free), failure -> putOff(job, failure, free));
  }

  private void putOff(RunningJob job, Throwable failure, Runnable free) {
    try {
      AboutJob.at(log.atError().setCause(failure), job.job()).log(
          "no thread could be started for a job, which is put off");
      finish(job, Ending.withoutThread(job.job()), free);
    } catch (Throwable _) { // The lease is given back later, like one unknown to this worker.
      forget(job, false, free);
    }
  }

  // Whatever is thrown, the slot is freed: after the ending is written, or else here.
  private void run(RunningJob job, Runnable free) {
    Runnable atLast = () -> forget(job, job.hasEndedItself(), free);
    try {
      var ending = ending(job);
      var isOurs = job.takeEnd();
      stuck.remove(job); // After taking the end, so that abandon() does not add it again.
      if (isOurs && ending.isPresent()) {
        finish(job, ending.get(), free);
        atLast = () -> {};
      } else if (isOurs) {
        atLast = isGivenBack(job) ? free : atLast;
        count(job, outcomeWithoutEnding(job));
      }
    } finally {
      atLast.run();
    }
  }

  private Optional<Ending> ending(RunningJob job) {
    try {
      var handler = handlers.find(job.job().handlerId());
      return handler.isPresent() && job.job().problem().isEmpty()
          ? attempt.run(job, handler.get())
          : Optional.of(Ending.unbegun(job.job()));
    } catch (Throwable e) { // An unreadable row fails only its own job.
      tellUnjudged(job, e);
      return Optional.of(Ending.unjudged(job.job(), e));
    }
  }

  private static void tellUnjudged(RunningJob job, Throwable failure) {
    try {
      AboutJob.at(log.atError().setCause(failure), job.job()).log(
          "an attempt failed, and its retry policy could not be asked");
    } catch (Throwable e) { // No memory is left for logging. The job's error has the failure.
      failure.addSuppressed(e);
    }
  }

  // The worker gives such a job back together with all others it still holds.
  private static boolean isGivenBack(RunningJob job) {
    return !job.hasEndedItself()
        && job.stopped().filter(why -> why == StopReason.RELEASED).isPresent();
  }

  // The ending is already written, or is not this worker's to write.
  private static AttemptOutcome outcomeWithoutEnding(RunningJob job) {
    if (job.hasEndedItself()) {
      return AttemptOutcome.SUCCEEDED;
    }
    return isGivenBack(job) ? AttemptOutcome.RELEASED : AttemptOutcome.LOST;
  }

  private void finish(RunningJob job, Ending ending, Runnable free) {
    finisher.finish(job.job(), ending, written -> finished(job, ending, written, free));
  }

  private void wakeFor(Ending ending) {
    switch (ending) {
      case Ending.Again again -> alarm.wakeIn(again.delay());
      case Ending.Later later -> alarm.wakeIn(later.delay());
      case Ending.Last _, Ending.Removed _ -> {}
    }
  }

  private void finished(RunningJob job, Ending ending, boolean written, Runnable free) {
    try {
      if (!written) {
        AboutJob.at(log.atWarn(), job.job()).log(
            "the lease of a job was lost: its end is not written");
      }
      wakeFor(ending);
      count(job, written ? ending.outcome() : AttemptOutcome.LOST);
    } finally {
      forget(job, written, free);
    }
  }

  private void count(RunningJob job, AttemptOutcome outcome) {
    var handler = job.job().handlerId();
    meters.ended(handler, outcome);
    if (job.hasBegun()) {
      meters.ran(handler, outcome, job.ranFor(System.nanoTime()));
    }
  }

  /** Forgets jobs that were given back before they ran. */
  void givenBack(Collection<RunningJob> jobs) {
    jobs.forEach(held::remove);
    jobs.forEach(job -> count(job, AttemptOutcome.RELEASED));
  }

  /**
   * Returns the number of slots taken by handlers that still run although their endings are
   * written.
   */
  int stuck() {
    return stuck.size();
  }

  /**
   * Ends a job whose handler kept running after it was interrupted. The job's slot stays taken
   * until its thread ends, so at most as many handlers are stuck as there are slots.
   */
  void abandon(RunningJob job) {
    // The retry policy is user code like the handler, and may hang as well.
    Thread.ofPlatform()
        .daemon()
        .name("abandon " + job.job().id())
        .start(() -> endWithoutItsThread(job));
  }

  private void endWithoutItsThread(RunningJob job) {
    handlers
        .find(job.job().handlerId())
        .flatMap(handler -> attempt.abandoned(job, handler))
        .filter(_ -> takeFromHandler(job))
        .ifPresent(
            ending -> {
              AboutJob.at(log.atWarn(), job.job()).log(
                  "the handler of a job ignores its interrupt");
              end(job, ending);
            });
  }

  // Not on the thread that watches the jobs: this may take as long as the database is unreachable.
  private void end(RunningJob job, Ending ending) {
    if (attempt.close(job)) {
      finish(job, ending, () -> {});
    } else {
      count(job, AttemptOutcome.LOST);
      forget(job, false, () -> {});
    }
  }

  private boolean takeFromHandler(RunningJob job) {
    stuck.add(job);
    var taken = job.takeEnd();
    if (!taken) {
      stuck.remove(job);
    }
    return taken;
  }

  private void forget(RunningJob job, boolean ended, Runnable free) {
    try {
      if (ended) {
        held.remove(job);
      } else {
        held.removeUnended(job);
      }
    } finally {
      free.run();
    }
  }
}
