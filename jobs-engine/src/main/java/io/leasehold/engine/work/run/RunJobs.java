package io.leasehold.engine.work.run;

import io.leasehold.engine.log.AboutJob;
import io.leasehold.engine.metrics.AttemptOutcome;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.time.delayed.Alarm;
import io.leasehold.engine.work.attempt.Attempt;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.engine.work.finish.Ending;
import io.leasehold.engine.work.finish.EndingWriter;
import io.leasehold.engine.work.handlers.HandlerRegistry;
import io.leasehold.jobs.StopReason;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes held jobs through their handlers to their ends, each on a virtual thread.
 *
 * <p>A slot is free again, and the lease no longer renewed, only when the end is written or the
 * lease is known to be lost; and then always, whatever was thrown.
 */
final class RunJobs {

  private static final Logger log = LoggerFactory.getLogger(RunJobs.class);

  private final HandlerRegistry handlers;
  private final Attempt attempt;
  private final EndingWriter finisher;
  private final RunningJobs held;
  private final Alarm alarm;
  private final JobMeters meters;
  private final AttemptThreads threads = new AttemptThreads();

  /** Those whose ends are written, and whose handlers go on all the same. */
  private final Set<RunningJob> stuck = ConcurrentHashMap.newKeySet();

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
  }

  /** Starts a job; its slot is told when it is free. Throws nothing. */
  void start(RunningJob job, Runnable free) {
    threads.start(job.job().id(), () -> run(job, free), failure -> putOff(job, failure, free));
  }

  private void putOff(RunningJob job, Throwable failure, Runnable free) {
    try {
      AboutJob.at(log.atError().setCause(failure), job.job()).log(
          "a job is put off: no thread could be started for it");
      finish(job, Ending.withoutThread(job.job()), free);
    } catch (Throwable _) { // Its lease is given back like one that this worker does not know.
      forget(job, false, free);
    }
  }

  // Whatever is thrown, the slot is freed: when the end is written, or else here.
  private void run(RunningJob job, Runnable free) {
    Runnable atLast = () -> forget(job, job.hasEndedItself(), free);
    try {
      var ending = ending(job);
      var isOurs = job.takeEnd();
      stuck.remove(job); // After its end is taken, so that it is not put there behind this.
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
    } catch (Throwable e) { // Whatever a row makes Java throw ends the row's job, and nothing else.
      tellUnjudged(job, e);
      return Optional.of(Ending.unjudged(job.job(), e));
    }
  }

  private static void tellUnjudged(RunningJob job, Throwable failure) {
    try {
      AboutJob.at(log.atError().setCause(failure), job.job()).log(
          "an attempt failed, and its retry policy could not be asked");
    } catch (Throwable e) { // There is no memory to log it. The job's error has it.
      failure.addSuppressed(e);
    }
  }

  // Together with all others that the worker still holds.
  private static boolean isGivenBack(RunningJob job) {
    return !job.hasEndedItself()
        && job.stopped().filter(why -> why == StopReason.RELEASED).isPresent();
  }

  // Its end is written already, or is not for us to write.
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

  /** Counts jobs that were given back before they ran. */
  void givenBack(Collection<RunningJob> jobs) {
    jobs.forEach(job -> count(job, AttemptOutcome.RELEASED));
  }

  /** How many slots are taken by handlers that go on though their ends are written. */
  int stuck() {
    return stuck.size();
  }

  /**
   * Ends a job whose handler went on when it was interrupted. Its slot is free when its thread has
   * ended: as many as there are slots can be stuck, and not more.
   */
  void abandon(RunningJob job) {
    // The retry policy that is asked is the handler's as well, and may hang like it.
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
                  "the handler of a job goes on when interrupted");
              end(job, ending);
            });
  }

  // Apart from whoever watches the jobs: it may take as long as the database is away.
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
