package io.leasehold.engine.work.attempt;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.Transactions;
import io.leasehold.engine.work.handlers.RegisteredHandler;
import io.leasehold.engine.work.intercept.Interceptors;
import io.leasehold.jobs.JobContext;
import jakarta.inject.Inject;
import org.jspecify.annotations.Nullable;

/** Calls a job's handler, wrapped in the interceptors. Thread-safe. */
public final class CallHandler {

  private final Transactions transactions;
  private final Interceptors interceptors;

  @Inject
  CallHandler(Transactions transactions, Interceptors interceptors) {
    this.transactions = transactions;
    this.interceptors = interceptors;
  }

  /** What happens after a handler returns. */
  @FunctionalInterface
  public interface LastStatement {

    /**
     * Ends the job with this output if the transaction commits. This is the last statement of the
     * handler's own transaction.
     */
    void send(ScopedTransaction tx, @Nullable Object output);

    /**
     * Called after a handler without a transaction has returned, before its {@code onSuccess}. An
     * exception thrown here fails the attempt instead.
     */
    default void returned(@Nullable Object output) {}

    /**
     * Called after that handler's {@code onSuccess}. The interceptors still have to return, and may
     * fail the attempt.
     */
    default void told() {}
  }

  /** Returns the calls of one attempt. The handler is created by the first call. */
  public <I, O> HandlerCalls<I, O> of(RegisteredHandler<I, O> handler, JobContext job, I input) {
    return new HandlerCalls<>(handler, job, input, transactions, interceptors);
  }
}
