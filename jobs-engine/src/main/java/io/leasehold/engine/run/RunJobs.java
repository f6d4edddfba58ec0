package io.leasehold.engine.run;

import io.leasehold.engine.finish.Ending;
import io.leasehold.engine.finish.Finisher;
import io.leasehold.engine.schedule.Alarm;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes held jobs through their handlers to their ends, each on a virtual thread.
 *
 * <p>A slot is free again, and the lease no longer renewed, only when the end is written or the
 * lease is known to be lost.
 */
final class RunJobs {

  private static final Logger log = LoggerFactory.getLogger(RunJobs.class);

  /** How long a job is put aside whose handler this process does not know. */
  private static final Duration ASIDE = Duration.ofSeconds(10);

  private final HandlerRegistry handlers;
  private final Attempt attempt;
  private final Finisher finisher;
  private final HeldJobs held;
  private final Alarm alarm;

  RunJobs(
      HandlerRegistry handlers, Attempt attempt, Finisher finisher, HeldJobs held, Alarm alarm) {
    this.handlers = handlers;
    this.attempt = attempt;
    this.finisher = finisher;
    this.held = held;
    this.alarm = alarm;
  }

  /** Starts a job; its slot is told when it is free. */
  void start(HeldJob job, Runnable free) {
    Thread.ofVirtual().name("job " + job.job().id()).start(() -> run(job, free));
  }

  private void run(HeldJob job, Runnable free) {
    var handler = handlers.find(job.job().handlerId());
    if (handler.isEmpty()) {
      var later = new Ending.Later(job.job().id(), job.job().token(), ASIDE);
      finisher.finish(later, written -> finished(job, written, free));
      return;
    }
    var ending = attempt.run(job, handler.get());
    if (ending.isPresent() && job.takeEnd()) {
      finisher.finish(
          ending.get(),
          written -> {
            if (ending.get() instanceof Ending.Again again) {
              alarm.wakeIn(again.delay());
            }
            finished(job, written, free);
          });
    } else if (job.stopped().filter(why -> why == Stop.RELEASED).isPresent()) {
      free.run(); // The lease is given back with all others that the worker still holds.
    } else {
      forget(job, free);
    }
  }

  private void finished(HeldJob job, boolean written, Runnable free) {
    if (!written) {
      log.warn("the lease of job {} was lost: its end is not written", job.job().id());
    }
    forget(job, free);
  }

  /**
   * Ends a job whose handler went on when it was interrupted. Its slot is free when its thread has
   * ended: as many as there are slots can be stuck, and not more.
   */
  void abandon(HeldJob job) {
    handlers
        .find(job.job().handlerId())
        .flatMap(handler -> attempt.abandoned(job, handler))
        .filter(_ -> job.takeEnd())
        .ifPresent(
            ending -> {
              log.warn("the handler of job {} goes on when interrupted", job.job().id());
              Thread.ofVirtual().name("end " + job.job().id()).start(() -> end(job, ending));
            });
  }

  // Apart from whoever watches the jobs: it may take as long as the database is away.
  private void end(HeldJob job, Ending ending) {
    if (job.journal().map(journal -> attempt.close(job, journal)).orElse(true)) {
      finisher.finish(ending, written -> finished(job, written, () -> {}));
    } else {
      forget(job, () -> {});
    }
  }

  private void forget(HeldJob job, Runnable free) {
    held.remove(job);
    free.run();
  }
}
