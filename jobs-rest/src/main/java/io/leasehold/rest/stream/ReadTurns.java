package io.leasehold.rest.stream;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.rest.http.Restartable;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import io.leasehold.rest.stream.write.Portions;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads for streams, two at a time: however many streams are open, they never use more than two of
 * the process's database connections. Tenants take turns.
 */
@Singleton
final class ReadTurns {

  private static final int AT_A_TIME = 2;
  private static final Duration WAIT_MOST = Duration.ofSeconds(10);

  private static final Duration SOON = Duration.ofSeconds(1);

  private final JobService jobs;
  private final FairTurns turns;
  private final Duration waitMost;
  private final Timer reads;

  @Inject
  ReadTurns(@Restartable JobService jobs, MeterRegistry meters) {
    this(jobs, new FairTurns(AT_A_TIME), WAIT_MOST, meters);
  }

  ReadTurns(JobService jobs, FairTurns turns, Duration waitMost, MeterRegistry meters) {
    this.jobs = jobs;
    this.turns = turns;
    this.waitMost = waitMost;
    this.reads =
        Timer.builder("leasehold.http.streams.reads")
            .description("Reads of what streams show, with the wait for a turn")
            .register(meters);
  }

  /** Returns a reader of a history, which reads each portion in a turn. */
  Portions portions(SecurityContext caller, JobId id) {
    return new Portions(
        (after, limit) -> inTurn(caller.tenant(), () -> jobs.events(caller, id, after, limit)));
  }

  /** Returns the current state of a job; empty if the caller may not read such a job. */
  Optional<Job> find(SecurityContext caller, JobId id) {
    return inTurn(caller.tenant(), () -> jobs.find(caller, id));
  }

  private <T> T inTurn(TenantId tenant, Supplier<T> read) {
    var begun = System.nanoTime();
    begin(tenant);
    try {
      return read.get();
    } finally {
      turns.end();
      reads.record(Duration.ofNanos(System.nanoTime() - begun));
    }
  }

  private void begin(TenantId tenant) {
    try {
      if (!turns.begin(tenant, waitMost)) {
        // Reads take milliseconds: if the earlier ones take this long, the database is the cause.
        throw RequestRefusal.until(Problem.UNAVAILABLE, SOON);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JobsException(ErrorCode.INTERRUPTED, "interrupted before a read of a stream", e);
    }
  }
}
