package io.leasehold.engine.work.run;

import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.engine.work.lease.MarkBegun;
import java.time.Duration;

/**
 * Has it written down that jobs have begun which have run for a while: their histories say so then.
 * Of the others, which are most, their ends do.
 */
final class MarkLongJobs {

  private static final Duration LONG = Duration.ofMillis(100);

  private final RunningJobs held;
  private final MarkBegun markBegun;
  private final JobChanges changes;

  MarkLongJobs(RunningJobs held, MarkBegun markBegun, JobChanges changes) {
    this.held = held;
    this.markBegun = markBegun;
    this.changes = changes;
  }

  void mark() {
    var now = System.nanoTime();
    var begun = held.all().stream().filter(job -> job.isUnmarkedAfter(LONG, now)).toList();
    if (begun.isEmpty()) {
      return;
    }
    var marked = markBegun.mark(begun.stream().map(RunningJob::lease).toList());
    begun.stream().filter(job -> marked.contains(job.job().id())).forEach(RunningJob::marked);
    changes.changed(marked);
  }
}
