package io.leasehold.engine.run;

import io.leasehold.engine.claim.ClaimedJob;
import io.leasehold.engine.claim.WorkerId;
import io.leasehold.engine.finish.EndJobInTransaction;
import io.leasehold.engine.finish.Ending;
import io.leasehold.engine.submit.Json;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.SecurityContext;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jooq.JSON;

/** Runs a handler for a stored job, as the job's tenant, and tells how it ended. Safe to share. */
final class Attempt {

  private final CallHandler call;
  private final Judge judge;
  private final WorkerId worker;
  private final Journals journals;

  @Inject
  Attempt(CallHandler call, Judge judge, WorkerId worker, Journals journals) {
    this.call = call;
    this.judge = judge;
    this.worker = worker;
    this.journals = journals;
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
    journal.close(); // What was told comes before the end.
    return failure == null
        ? output.map(json -> succeeded(held.job(), json))
        : judge.judge(held.job(), handler.type().retry(), failure, stopped);
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
