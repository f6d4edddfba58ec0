package io.leasehold.engine.work.inline;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.work.attempt.Attempt;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.engine.work.finish.Ending;
import io.leasehold.engine.work.finish.WriteEndings;
import io.leasehold.engine.work.handlers.HandlerRegistry;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Runs claimed jobs on the calling thread, and writes each ending before the next job begins. */
final class RunClaimed {

  private final HandlerRegistry handlers;
  private final Attempt attempt;
  private final WriteEndings writeEndings;
  private final JobChanges changes;

  @Inject
  RunClaimed(
      HandlerRegistry handlers, Attempt attempt, WriteEndings writeEndings, JobChanges changes) {
    this.handlers = handlers;
    this.attempt = attempt;
    this.writeEndings = writeEndings;
    this.changes = changes;
  }

  /**
   * Runs the jobs.
   *
   * @param sentAt the process's clock just before the claim was sent
   * @param lease how long their leases are valid
   */
  void run(List<ClaimedJob> claimed, long sentAt, Duration lease) {
    changes.changed(claimed, ClaimedJob::id);
    claimed.forEach(job -> run(new RunningJob(job, sentAt, sentAt + lease.toNanos())));
  }

  private void run(RunningJob held) {
    var job = held.job();
    handlers
        .find(job.handlerId())
        .filter(_ -> job.problem().isEmpty())
        .map(handler -> attempt.run(held, handler))
        .orElseGet(() -> Optional.of(Ending.unbegun(job)))
        .ifPresent(ending -> writeEndings.write(List.of(ending)));
  }
}
