package io.leasehold.engine.work.run;

import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.engine.work.lease.FindCancelled;
import io.leasehold.engine.work.lease.MarkBegun;
import io.leasehold.jobs.StopReason;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;

/** Checks the running jobs of this worker. */
final class SuperviseJobs {

  /** Most jobs are shorter; their endings record the start. */
  private static final Duration LONG = Duration.ofMillis(100);

  private final RunningJobs held;
  private final RunJobs run;
  private final FindCancelled findCancelled;
  private final MarkBegun markBegun;
  private final JobChanges changes;
  private final WatchJobs watch;

  @Inject
  SuperviseJobs(
      RunningJobs held,
      RunJobs run,
      FindCancelled findCancelled,
      MarkBegun markBegun,
      JobChanges changes,
      Terms terms) {
    this.held = held;
    this.run = run;
    this.findCancelled = findCancelled;
    this.markBegun = markBegun;
    this.changes = changes;
    this.watch = new WatchJobs(held, terms.margin(), terms.cancelGrace(), run::abandon);
  }

  /** Interrupts jobs that timed out, were cancelled a while ago, or may lose their leases. */
  void look() {
    watch.look();
  }

  /** Marks long jobs as begun, so that their histories show it. */
  void markLong() {
    var now = System.nanoTime();
    var begun = held.all().stream().filter(job -> job.isUnmarkedAfter(LONG, now)).toList();
    if (begun.isEmpty()) {
      return;
    }
    var marked = markBegun.mark(begun.stream().map(RunningJob::lease).toList());
    begun.stream().filter(job -> marked.contains(job.job().id())).forEach(RunningJob::marked);
    changes.changed(marked);
  }

  /** Stops jobs whose cancellation was requested. */
  void stopCancelled() {
    findCancelled
        .find()
        .forEach(
            (id, thenDelete) -> {
              var why = thenDelete ? StopReason.REMOVED : StopReason.CANCELLED;
              held.of(id).forEach(job -> job.cancel(why, System.nanoTime()));
            });
  }

  /** Tells all jobs to stop, so that they can be given back. */
  void releaseAll() {
    held.all().forEach(job -> job.stop(StopReason.RELEASED, System.nanoTime()));
  }

  /** Returns the leases of the jobs that may continue elsewhere. */
  List<HeldLease> unfinished() {
    return held.all().stream().filter(RunningJob::mayGoOnElsewhere).map(RunningJob::lease).toList();
  }

  /** Returns whether no job is held. */
  boolean hasNone() {
    return held.all().isEmpty();
  }

  /** Returns the number of slots taken by handlers that still run after an interrupt. */
  int stuck() {
    return run.stuck();
  }
}
