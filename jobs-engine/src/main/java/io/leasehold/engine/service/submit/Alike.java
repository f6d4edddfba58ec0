package io.leasehold.engine.service.submit;

import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.Mirror;
import io.leasehold.jobs.MirrorTable;
import java.time.Duration;
import java.util.Optional;

/** What requests have in common that go into one statement. */
record Alike(
    JobType<?, ?> type,
    int priority,
    Duration delay,
    Optional<Duration> timeout,
    int maxAttempts,
    Optional<Duration> reuse,
    boolean waits,
    Optional<MirrorTable> mirror) {

  static Alike of(JobRequest<?, ?> request) {
    return new Alike(
        request.type(),
        request.priority(),
        request.delay(),
        request.timeout(),
        request.maxAttempts(),
        request.reuseWithin(),
        !request.after().isEmpty(),
        request.mirror().map(Mirror::table));
  }

  /** Whether they neither wait for jobs nor are content with one that there is. */
  boolean isPlain() {
    return reuse.isEmpty() && !waits;
  }
}
