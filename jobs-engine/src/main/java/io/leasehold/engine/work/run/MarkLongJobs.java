package io.leasehold.engine.work.run;

import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.engine.work.lease.MarkBegun;
import java.time.Duration;

/**
 * Marks jobs that have been running for a while as begun, so that their histories show it. Most
 * jobs are shorter; their endings record the start.
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
