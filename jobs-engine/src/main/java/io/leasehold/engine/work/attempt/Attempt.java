package io.leasehold.engine.work.attempt;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.engine.kernel.ErrorText;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.service.values.Json;
import io.leasehold.engine.work.finish.EndJobInTransaction;
import io.leasehold.engine.work.finish.Ending;
import io.leasehold.engine.work.finish.ResolveCommit;
import io.leasehold.engine.work.handlers.DecodeJob;
import io.leasehold.engine.work.handlers.RegisteredHandler;
import io.leasehold.engine.work.lease.FindFree;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.StopReason;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a handler for a stored job, as the job's tenant, and returns how it ended. Thread-safe. */
public final class Attempt {

  private static final Logger log = LoggerFactory.getLogger(Attempt.class);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final CallHandler call;
  private final Judge judge;
  private final WorkerId worker;
  private final Journals journals;
  private final FindFree findFree;
  private final ResolveCommit resolve;

  @Inject
  Attempt(
      CallHandler call,
      Judge judge,
      WorkerId worker,
      Journals journals,
      FindFree findFree,
      ResolveCommit resolve) {
    this.call = call;
    this.judge = judge;
    this.worker = worker;
    this.journals = journals;
    this.findFree = findFree;
    this.resolve = resolve;
  }

  /**
   * Runs the attempt and returns its ending. Returns empty if the ending is already committed, or
   * is not this worker's to write. Anything that the job's row or its handler throws fails the
   * attempt.
   */
  public Optional<Ending> run(RunningJob held, RegisteredHandler<?, ?> handler) {
    if (!held.begin(System.nanoTime())) {
      return Optional.empty();
    }
    try {
      return closed(held, worked(held, handler));
    } catch (Throwable e) { // For example, no memory was left to judge the failure.
      var stopped = held.end();
      return held.hasEndedItself() ? Optional.empty() : judged(held, handler, e, stopped);
    }
  }

  private Optional<Ending> closed(RunningJob held, Optional<Ending> ending) {
    if (ending.isEmpty()) {
      held.journal().ifPresent(FencedJournal::close);
      return ending;
    }
    return close(held) ? ending : Optional.empty();
  }

  private <I, O> Optional<Ending> worked(RunningJob held, RegisteredHandler<I, O> handler) {
    HandlerCalls<I, O> calls = null;
    try {
      var caller = DecodeJob.caller(held.job());
      var journal = journals.of(held, caller);
      var metadata = DecodeJob.metadata(held.job());
      var context = new AttemptContext(handler.type(), held, caller, metadata, journal);
      calls = call.of(handler, context, DecodeJob.input(held.job(), handler.type().input()));
      var end = new End(held, journal);
      calls.run(end);
      held.end();
      return calls.isCommitted() ? endedItself(held) : end.ending();
    } catch (Throwable e) { // Attempt boundary: whatever a handler throws fails only its attempt.
      held.end();
      if (calls == null || !hasCommitted(held, calls)) {
        return failed(held, calls, handler, calls == null ? e : calls.resolved(e));
      }
      calls.tellThrownAfterCommit(e);
      return endedItself(held);
    }
  }

  // The answer to a commit may be lost. Its outcome is certain once no transaction holds the lease.
  private boolean hasCommitted(RunningJob held, HandlerCalls<?, ?> calls) {
    while (calls.isCommitOpen() && !held.isLostBy(System.nanoTime())) {
      resolve
          .isCommitted(held.lease())
          .ifPresentOrElse(calls::commitResolved, () -> LockSupport.parkNanos(PAUSE.toNanos()));
    }
    return calls.isCommitted();
  }

  // The handler's own transaction wrote the ending.
  private Optional<Ending> endedItself(RunningJob held) {
    held.endedItself();
    resolve.committed(held.job().id());
    return Optional.empty();
  }

  private Optional<Ending> failed(
      RunningJob held,
      @Nullable HandlerCalls<?, ?> calls,
      RegisteredHandler<?, ?> handler,
      Throwable failure) {
    var ending = judged(held, handler, failure, held.stopped());
    if (calls != null && ending.isPresent()) {
      calls.tellEnding(held, ending.get(), failure);
    }
    return ending;
  }

  private Optional<Ending> judged(
      RunningJob held,
      RegisteredHandler<?, ?> handler,
      Throwable failure,
      Optional<StopReason> stopped) {
    return judge.judge(held, handler.type().retry(), failure, stopped);
  }

  /**
   * Writes everything that must precede the ending. The buffered events come first. A transaction
   * that the handler left open also has to finish: otherwise the ending of this job, and all
   * endings in the same batch, would wait for it. Returns whether this worker may write the ending,
   * which is false if the lease was lost meanwhile.
   */
  public boolean close(RunningJob held) {
    return held.journal().map(journal -> close(held, journal)).orElse(true);
  }

  private boolean close(RunningJob held, FencedJournal journal) {
    journal.close();
    while (journal.isInDoubt() && !isFree(held)) {
      if (held.isLost()) {
        return false;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return true;
  }

  private boolean isFree(RunningJob held) {
    try {
      return findFree.isFree(held.lease());
    } catch (JobsException e) {
      log.debug("it is unknown whether job {} can be ended", held.job().id(), e);
      return false;
    }
  }

  /** Returns the ending of an attempt whose handler does not return. */
  public Optional<Ending> abandoned(RunningJob held, RegisteredHandler<?, ?> handler) {
    return judge.abandoned(held, handler.type().retry());
  }

  // Permanent, because the next attempt would return the same output.
  private static JSON output(@Nullable Object output) {
    try {
      return Json.write("output", output);
    } catch (JobsException e) {
      throw new PermanentFailure(e.code() + ": " + ErrorText.of(e), e);
    }
  }

  /** The ending of an attempt whose handler returns. */
  private final class End implements CallHandler.LastStatement {

    private final RunningJob held;
    private final FencedJournal journal;
    private @Nullable Ending ending;

    private End(RunningJob held, FencedJournal journal) {
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
    public void told() {
      held.told();
    }

    @Override
    public void send(ScopedTransaction tx, @Nullable Object output) {
      var json = output(output);
      journal.endIn(tx);
      EndJobInTransaction.end(tx, worker, held.job(), json);
    }
  }
}
