package io.leasehold.engine.attempt;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.engine.claim.ClaimedJob;
import io.leasehold.engine.claim.WorkerId;
import io.leasehold.engine.finish.EndJobInTransaction;
import io.leasehold.engine.finish.Ending;
import io.leasehold.engine.lease.FindFree;
import io.leasehold.engine.submit.Dependents;
import io.leasehold.engine.submit.Json;
import io.leasehold.engine.watch.JobChanges;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.Stop;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/** Runs a handler for a stored job, as the job's tenant, and tells how it ended. Safe to share. */
public final class Attempt {

  private static final Logger log = LoggerFactory.getLogger(Attempt.class);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final CallHandler call;
  private final Judge judge;
  private final WorkerId worker;
  private final Journals journals;
  private final FindFree findFree;
  private final Listeners listeners;

  @Inject
  Attempt(
      CallHandler call,
      Judge judge,
      WorkerId worker,
      Journals journals,
      FindFree findFree,
      Listeners listeners) {
    this.call = call;
    this.judge = judge;
    this.worker = worker;
    this.journals = journals;
    this.findFree = findFree;
    this.listeners = listeners;
  }

  /** Who is told of a job that ended itself. */
  record Listeners(JobChanges changes, Dependents dependents) {

    @Inject
    Listeners {}
  }

  /** How the attempt ended; nothing if its end is committed already, or is not for us to write. */
  public Optional<Ending> run(HeldJob held, RegisteredHandler<?, ?> handler) {
    return held.begin(System.nanoTime()) ? ran(held, handler) : Optional.empty();
  }

  private <I, O> Optional<Ending> ran(HeldJob held, RegisteredHandler<I, O> handler) {
    var caller = held.job().caller();
    var journal = journals.of(held, caller);
    var context = new AttemptContext(handler.type(), held, caller, journal);
    var ending = worked(held, handler, context, journal);
    if (ending.isEmpty()) {
      journal.close();
      return ending;
    }
    return close(held, journal) ? ending : Optional.empty();
  }

  private <I, O> Optional<Ending> worked(
      HeldJob held, RegisteredHandler<I, O> handler, AttemptContext context, Journal journal) {
    HandlerCalls<I, O> calls = null;
    try {
      calls = call.of(handler, context, input(held.job(), handler));
      var end = new End(held, journal);
      calls.run(end);
      held.end();
      return calls.isCommitted() ? endedItself(held) : end.ending();
    } catch (Throwable e) { // The edge of an attempt: whatever a handler throws ends it alone.
      var stopped = held.end();
      return calls != null && calls.isCommitted()
          ? endedItself(held)
          : failed(held, calls, handler, e, stopped);
    }
  }

  // Its transaction wrote the end.
  private Optional<Ending> endedItself(HeldJob held) {
    held.endedItself();
    listeners.changes().changed(held.job().id());
    listeners.dependents().ended();
    return Optional.empty();
  }

  private Optional<Ending> failed(
      HeldJob held,
      @Nullable HandlerCalls<?, ?> calls,
      RegisteredHandler<?, ?> handler,
      Throwable failure,
      Optional<Stop> stopped) {
    var ending = judge.judge(held.job(), handler.type().retry(), failure, stopped);
    if (calls != null && ending.isPresent()) {
      calls.tellEnding(held, ending.get(), failure);
    }
    return ending;
  }

  /**
   * What was told comes before the end. So does what a transaction keeps that the handler left
   * open: the end of this job would wait for it, and all that are written together with it. Answers
   * whether the end is for this worker to say: not if the lease was lost meanwhile.
   */
  public boolean close(HeldJob held) {
    return held.journal().map(journal -> close(held, journal)).orElse(true);
  }

  private boolean close(HeldJob held, FencedJournal journal) {
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
  public Optional<Ending> abandoned(HeldJob held, RegisteredHandler<?, ?> handler) {
    return judge.abandoned(held, handler.type().retry());
  }

  // What cannot be read now cannot be read the next time either.
  private static <I> I input(ClaimedJob job, RegisteredHandler<I, ?> handler) {
    var type = handler.type().input();
    try {
      return Json.read(job.input(), type);
    } catch (JacksonException e) {
      throw new PermanentFailure(
          "the input cannot be read as %s: %s".formatted(type.getName(), ErrorText.of(e)), e);
    }
  }

  // Nor would the next attempt's output be another.
  private static JSON output(@Nullable Object output) {
    try {
      return Json.write("output", output);
    } catch (JobsException e) {
      throw new PermanentFailure(e.code() + ": " + ErrorText.of(e), e);
    }
  }

  /** How an attempt ends whose handler returns. */
  private final class End implements CallHandler.LastStatement {

    private final HeldJob held;
    private final Journal journal;
    private @Nullable Ending ending;

    private End(HeldJob held, Journal journal) {
      this.held = held;
      this.journal = journal;
    }

    Optional<Ending> ending() {
      return Optional.ofNullable(ending);
    }

    @Override
    public void returned(@Nullable Object output) {
      var job = held.job();
      var succeeded =
          new Ending.Last(
              job.id(), job.token(), JobStatus.SUCCEEDED, output(output), Optional.empty());
      held.beginToTell(succeeded, System.nanoTime());
      ending = succeeded;
    }

    @Override
    public void send(ScopedTransaction tx, @Nullable Object output) {
      var json = output(output);
      journal.close();
      EndJobInTransaction.end(tx, worker, held.job(), json);
    }
  }
}
