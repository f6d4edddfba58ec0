package io.leasehold.engine.work.finish;

import io.leasehold.engine.signal.Dependents;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.jobs.JobId;
import jakarta.inject.Inject;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies watchers and dependents of attempts whose ending is committed. Both are hints that the
 * next poll makes up for, so a failure is logged and changes nothing. Thread-safe.
 */
final class NotifyOfEnds {

  private static final Logger log = LoggerFactory.getLogger(NotifyOfEnds.class);

  private final JobChanges changes;
  private final Dependents dependents;

  @Inject
  NotifyOfEnds(JobChanges changes, Dependents dependents) {
    this.changes = changes;
    this.dependents = dependents;
  }

  /** The attempts have ended; each either ended its job or will be followed by another attempt. */
  void attemptsEnded(Collection<JobId> jobs) {
    hint(() -> changes.changed(jobs));
  }

  /** Some of the attempts were the last of their jobs. */
  void jobsEnded() {
    hint(dependents::ended);
  }

  private static void hint(Runnable notification) {
    try {
      notification.run();
    } catch (RuntimeException | Error e) { // Committed endings must not look as if they had failed.
      log.warn("notification of ended jobs failed; the next poll makes up for it", e);
    }
  }
}
