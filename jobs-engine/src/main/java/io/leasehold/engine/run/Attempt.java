package io.leasehold.engine.run;

import io.leasehold.db.Transactions;
import io.leasehold.engine.claim.WorkerId;
import io.leasehold.engine.finish.EndJobInTransaction;
import io.leasehold.engine.finish.Ending;
import io.leasehold.engine.submit.Json;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.SecurityContext;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;

/** Runs a handler for a job, as the job's tenant, and tells how it ended. Safe to share. */
final class Attempt {

  private static final Duration WITHOUT_CONNECTION = Duration.ofSeconds(1);
  private static final Duration MOST = Duration.ofDays(3_650);

  private final Transactions transactions;
  private final WorkerId worker;
  private final TellOfJob tell;
  private final RandomGenerator random;

  @Inject
  Attempt(Transactions transactions, WorkerId worker, TellOfJob tell, RandomGenerator random) {
    this.transactions = transactions;
    this.worker = worker;
    this.tell = tell;
    this.random = random;
  }

  /** How the attempt ended; nothing if its end is committed already, or is not for us to write. */
  Optional<Ending> run(HeldJob held, RegisteredHandler<?, ?> handler) {
    if (!held.begin(System.nanoTime())) {
      return Optional.empty();
    }
    Throwable failure = null;
    Optional<JSON> output = Optional.empty();
    try {
      output = work(held, handler);
    } catch (Throwable e) { // The edge of an attempt: whatever a handler throws ends it alone.
      failure = e;
    }
    var stopped = held.end();
    return failure == null
        ? output.map(json -> succeeded(held, json))
        : ended(held, handler, failure, stopped);
  }

  /** How an attempt ended whose handler does not end. */
  Optional<Ending> abandoned(HeldJob held, RegisteredHandler<?, ?> handler) {
    var failure = new TimeoutException("the handler went on when it was interrupted");
    return ended(held, handler, failure, held.stopped());
  }

  private <I, O> Optional<JSON> work(HeldJob held, RegisteredHandler<I, O> handler)
      throws Exception {
    var job = held.job();
    var input = Json.read(job.input(), handler.type().input());
    var context = new AttemptContext(held, caller(held), tell);
    return switch (handler) {
      case RegisteredHandler.Plain<I, O> plain ->
          Optional.of(Json.write("output", plain.handler().get().run(context, input)));
      case RegisteredHandler.InTransaction<I, O> inTransaction -> {
        transactions.asTenant(
            caller(held),
            tx -> {
              var output = inTransaction.handler().get().run(tx, context, input);
              EndJobInTransaction.end(tx, worker, job, Json.write("output", output));
              return output;
            });
        yield Optional.empty();
      }
    };
  }

  private static SecurityContext caller(HeldJob held) {
    var job = held.job();
    return SecurityContext.of(job.principal(), job.tenant())
        .correlationId(job.correlationId().orElse(""))
        .build();
  }

  private static Ending succeeded(HeldJob held, JSON output) {
    return new Ending.Last(
        held.job().id(), held.job().token(), JobStatus.SUCCEEDED, output, Optional.empty());
  }

  private Optional<Ending> ended(
      HeldJob held, RegisteredHandler<?, ?> handler, Throwable failure, Optional<Stop> stopped) {
    return switch (stopped.orElse(null)) {
      case LOST, RELEASED -> Optional.empty();
      case CANCELLED -> Optional.of(last(held, JobStatus.CANCELLED, failure));
      case TIMED_OUT -> Optional.of(failed(held, handler, JobStatus.TIMED_OUT, failure));
      case null ->
          Optional.of(
              isForWantOfAConnection(failure)
                  ? new Ending.Later(held.job().id(), held.job().token(), WITHOUT_CONNECTION)
                  : failed(held, handler, JobStatus.FAILED, failure));
    };
  }

  // More transactional jobs run than there are connections: no reason to fail one.
  private static boolean isForWantOfAConnection(Throwable failure) {
    return failure instanceof JobsException e && e.code() == ErrorCode.POOL_EXHAUSTED;
  }

  private Ending failed(
      HeldJob held, RegisteredHandler<?, ?> handler, JobStatus status, Throwable failure) {
    var job = held.job();
    if (failure instanceof PermanentFailure || job.attempt() >= job.maxAttempts()) {
      return last(held, status, failure);
    }
    try {
      var delay = handler.type().retry().delayAfter(job.attempt(), random);
      return new Ending.Again(job.id(), job.token(), status, ErrorText.of(failure), bounded(delay));
    } catch (RuntimeException e) { // The policy is the handler's as well.
      e.addSuppressed(failure);
      return last(held, status, e);
    }
  }

  private static Duration bounded(Duration delay) {
    return delay.isNegative() ? Duration.ZERO : delay.compareTo(MOST) > 0 ? MOST : delay;
  }

  private static Ending last(HeldJob held, JobStatus status, @Nullable Throwable failure) {
    var error = Optional.ofNullable(failure).map(ErrorText::of);
    return new Ending.Last(held.job().id(), held.job().token(), status, null, error);
  }
}
