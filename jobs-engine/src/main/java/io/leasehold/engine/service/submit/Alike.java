package io.leasehold.engine.service.submit;

import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.spi.Mirror;
import io.leasehold.jobs.spi.MirrorTable;
import java.time.Duration;
import java.util.Optional;

/** The properties that all requests in one statement share. */
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

  /** Returns whether the requests neither wait for other jobs nor reuse existing ones. */
  boolean isPlain() {
    return reuse.isEmpty() && !waits;
  }
}
