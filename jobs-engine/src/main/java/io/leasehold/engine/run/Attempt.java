package io.leasehold.engine.run;

import io.leasehold.engine.claim.ClaimedJob;
import io.leasehold.engine.claim.WorkerId;
import io.leasehold.engine.finish.EndJobInTransaction;
import io.leasehold.engine.finish.Ending;
import io.leasehold.engine.lease.FindFree;
import io.leasehold.engine.submit.Json;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jooq.JSON;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a handler for a stored job, as the job's tenant, and tells how it ended. Safe to share. */
final class Attempt {

  private static final Logger log = LoggerFactory.getLogger(Attempt.class);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final CallHandler call;
  private final Judge judge;
  private final WorkerId worker;
  private final Journals journals;
  private final FindFree findFree;

  @Inject
  Attempt(CallHandler call, Judge judge, WorkerId worker, Journals journals, FindFree findFree) {
    this.call = call;
    this.judge = judge;
    this.worker = worker;
    this.journals = journals;
    this.findFree = findFree;
  }

  /** How the attempt ended; nothing if its end is committed already, or is not for us to write. */
  Optional<Ending> run(HeldJob held, RegisteredHandler<?, ?> handler) {
    if (!held.begin(System.nanoTime())) {
      return Optional.empty();
    }
    var journal = journals.of(held, caller(held.job()));
    Throwable failure = null;
    Optional<JSON> output = Optional.empty();
    try {
      output = work(held, handler, journal);
    } catch (Throwable e) { // The edge of an attempt: whatever a handler throws ends it alone.
      failure = e;
    }
    var stopped = held.end();
    if (!close(held, journal)) {
      return Optional.empty();
    }
    return failure == null
        ? output.map(json -> succeeded(held.job(), json))
        : judge.judge(held.job(), handler.type().retry(), failure, stopped);
  }

  /**
   * What was told comes before the end. So does what a transaction keeps that the handler left
   * open: the end of this job would wait for it, and all that are written together with it. Answers
   * whether the end is for this worker to say: not if the lease was lost meanwhile.
   */
  boolean close(HeldJob held, FencedJournal journal) {
    journal.close();
    while (journal.isInDoubt() && !isFree(held)) {
      if (held.isLost()) {
        return false;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return true;
  }

  private boolean isFree(HeldJob held) {
    try {
      return findFree.isFree(held.lease());
    } catch (JobsException e) {
      log.debug("whether job {} can be ended is not known", held.job().id(), e);
      return false;
    }
  }

  /** How an attempt ended whose handler does not end. */
  Optional<Ending> abandoned(HeldJob held, RegisteredHandler<?, ?> handler) {
    var failure = new TimeoutException("the handler went on when it was interrupted");
    return judge.judge(held.job(), handler.type().retry(), failure, held.stopped());
  }

  private <I, O> Optional<JSON> work(HeldJob held, RegisteredHandler<I, O> handler, Journal journal)
      throws Exception {
    var job = held.job();
    var input = Json.read(job.input(), handler.type().input());
    var context = new AttemptContext(held, caller(job), journal);
    var output =
        call.call(
            handler,
            context,
            input,
            (tx, its) -> {
              journal.close();
              EndJobInTransaction.end(tx, worker, job, Json.write("output", its));
            });
    if (handler instanceof RegisteredHandler.InTransaction) {
      return Optional.empty();
    }
    return Optional.of(Json.write("output", output));
  }

  private static SecurityContext caller(ClaimedJob job) {
    return SecurityContext.of(job.principal(), job.tenant())
        .correlationId(job.correlationId().orElse(""))
        .build();
  }

  private static Ending succeeded(ClaimedJob job, JSON output) {
    return new Ending.Last(job.id(), job.token(), JobStatus.SUCCEEDED, output, Optional.empty());
  }
}
