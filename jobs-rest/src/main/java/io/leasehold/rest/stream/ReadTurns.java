package io.leasehold.rest.stream;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.EventCursor;
import io.leasehold.jobs.EventPage;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.rest.http.Restartable;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Reads what streams show, two at a time: however many streams there are, they never take more than
 * two of the process's connections to the database.
 */
@Singleton
final class ReadTurns {

  private static final int AT_A_TIME = 2;
  private static final Duration WAIT_MOST = Duration.ofSeconds(10);

  private final JobService jobs;
  private final Semaphore turns = new Semaphore(AT_A_TIME, true);

  @Inject
  ReadTurns(@Restartable JobService jobs) {
    this.jobs = jobs;
  }

  /** A part of a history; nothing if the caller may read no such job. */
  Optional<EventPage> events(SecurityContext caller, JobId id, EventCursor after, int limit) {
    return inTurn(() -> jobs.events(caller, id, after, limit));
  }

  /** A job as it is now; nothing if the caller may read no such job. */
  Optional<Job> find(SecurityContext caller, JobId id) {
    return inTurn(() -> jobs.find(caller, id));
  }

  private <T> T inTurn(Supplier<T> read) {
    try {
      if (!turns.tryAcquire(WAIT_MOST.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new JobsException(ErrorCode.POOL_EXHAUSTED, "no turn to read for a stream in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JobsException(ErrorCode.INTERRUPTED, "interrupted before a read of a stream", e);
    }
    try {
      return read.get();
    } finally {
      turns.release();
    }
  }
}
