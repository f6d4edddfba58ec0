package io.leasehold.engine.inmemory;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.Transactions;
import io.leasehold.engine.inmemory.state.MemoryClock;
import io.leasehold.engine.inmemory.state.MemoryTerms;
import io.leasehold.engine.work.attempt.AttemptContext;
import io.leasehold.engine.work.attempt.CallHandler;
import io.leasehold.engine.work.attempt.HandlerCalls;
import io.leasehold.engine.work.attempt.Journal;
import io.leasehold.engine.work.attempt.Judge;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.engine.work.finish.Ending;
import io.leasehold.engine.work.handlers.DecodeJob;
import io.leasehold.engine.work.handlers.RegisteredHandler;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.StopReason;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Runs the handler of an in-memory job as the job's tenant, and returns how the attempt ended. */
final class MemoryAttempt {

  private final CallHandler call;
  private final Judge judge;
  private final Transactions transactions;
  private final MemoryClock clock;
  private final MemoryTerms terms;

  @Inject
  MemoryAttempt(
      CallHandler call,
      Judge judge,
      Transactions transactions,
      MemoryClock clock,
      MemoryTerms terms) {
    this.call = call;
    this.judge = judge;
    this.transactions = transactions;
    this.clock = clock;
    this.terms = terms;
  }

  /**
   * An attempt that has ended.
   *
   * @param output the handler's return value
   */
  record Ended(Ending ending, @Nullable Object output) {}

  /**
   * Returns how the attempt ended, or empty if that is decided elsewhere. Anything thrown because
   * of the job or its handler is a failure of the attempt.
   */
  Optional<Ended> run(MemoryJob job, RunningJob held) {
    try {
      return run(job.asked().handler(), job, held);
    } catch (Throwable e) { // For example, out of memory while judging the failure.
      var stopped = held.end();
      return judged(job, held, e, stopped).map(ending -> new Ended(ending, null));
    }
  }

  private <I, O> Optional<Ended> run(
      RegisteredHandler<I, O> handler, MemoryJob job, RunningJob held) {
    HandlerCalls<I, O> calls = null;
    Journal journal = null;
    var end = new End(held);
    try {
      var caller = DecodeJob.caller(held.job());
      journal = new MemoryJournal(job, held, caller, transactions, clock, terms.writesPerSecond());
      requireBegun(held);
      var metadata = DecodeJob.metadata(held.job());
      var context = new AttemptContext(handler.type(), held, caller, metadata, journal);
      calls = call.of(handler, context, input(handler, job));
      calls.run(end);
      journal.close();
      held.end();
      return Optional.of(new Ended(succeeded(held), end.output));
    } catch (Throwable e) { // Whatever a handler throws ends only its own attempt.
      if (journal != null) {
        journal.close();
      }
      var stopped = held.end();
      if (calls == null || !calls.isCommitted()) {
        return failed(job, held, calls, e, stopped);
      }
      calls.tellThrownAfterCommit(e);
      return Optional.of(new Ended(succeeded(held), end.output));
    }
  }

  @SuppressWarnings("NullAway") // A null input was given by a caller that disregards annotations.
  private static <I> I input(RegisteredHandler<I, ?> handler, MemoryJob job) {
    return handler.type().input().cast(job.input());
  }

  private Optional<Ended> failed(
      MemoryJob job,
      RunningJob held,
      @Nullable HandlerCalls<?, ?> calls,
      Throwable failure,
      Optional<StopReason> stopped) {
    var ending = judged(job, held, failure, stopped);
    if (calls != null && ending.isPresent()) {
      calls.tellEnding(held, ending.get(), failure);
    }
    return ending.map(end -> new Ended(end, null));
  }

  private Optional<Ending> judged(
      MemoryJob job, RunningJob held, Throwable failure, Optional<StopReason> stopped) {
    return judge.judge(held, job.asked().handler().type().retry(), failure, stopped);
  }

  /** Returns how an attempt ended whose handler does not stop. */
  Optional<Ended> abandoned(MemoryJob job, RunningJob held) {
    return judge
        .abandoned(held, job.asked().handler().type().retry())
        .map(ending -> new Ended(ending, null));
  }

  private static Ending succeeded(RunningJob held) {
    var job = held.job();
    return new Ending.Last(job.id(), job.token(), JobStatus.SUCCEEDED, null, Optional.empty());
  }

  private static void requireBegun(RunningJob held) {
    if (!held.begin(System.nanoTime())) {
      throw new CancellationException("stopped before it began");
    }
  }

  /** The end of an attempt whose handler returns. */
  private static final class End implements CallHandler.LastStatement {

    private final RunningJob held;
    private @Nullable Object output;

    private End(RunningJob held) {
      this.held = held;
    }

    @Override
    public void returned(@Nullable Object returned) {
      output = returned;
      held.beginToTell(succeeded(held), System.nanoTime());
    }

    @Override
    public void told() {
      held.told();
    }

    @Override
    public void send(ScopedTransaction tx, @Nullable Object returned) {
      output = returned;
      requireEnd(held);
    }
  }

  // An attempt that was given up in the meantime must not take effect, since another one may have
  // begun.
  private static void requireEnd(RunningJob held) {
    if (!held.takeEnd()) {
      throw new JobsException(
          ErrorCode.LEASE_LOST, "job %s is no longer this attempt's".formatted(held.job().id()));
    }
  }
}
