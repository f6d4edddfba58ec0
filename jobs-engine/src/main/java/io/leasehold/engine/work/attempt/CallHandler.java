package io.leasehold.engine.work.attempt;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.Transactions;
import io.leasehold.engine.work.handlers.RegisteredHandler;
import io.leasehold.engine.work.intercept.Interceptors;
import io.leasehold.jobs.JobContext;
import jakarta.inject.Inject;
import org.jspecify.annotations.Nullable;

/** Calls a job's handler, with the interceptors around it. Safe to share. */
public final class CallHandler {

  private final Transactions transactions;
  private final Interceptors interceptors;

  @Inject
  CallHandler(Transactions transactions, Interceptors interceptors) {
    this.transactions = transactions;
    this.interceptors = interceptors;
  }

  /** What follows on a handler's return. */
  @FunctionalInterface
  public interface LastStatement {

    /**
     * Ends the job with this output, if the transaction commits: the last statement of a handler's
     * own transaction.
     */
    void send(ScopedTransaction tx, @Nullable Object output);

    /**
     * A handler without a transaction returned this, and is about to be told that it did. What this
     * throws fails the attempt instead.
     */
    default void returned(@Nullable Object output) {}

    /** That handler has been told. What is still to come are interceptors, which may fail it. */
    default void told() {}
  }

  /** The calls of one attempt; the handler is made with the first. */
  public <I, O> HandlerCalls<I, O> of(RegisteredHandler<I, O> handler, JobContext job, I input) {
    return new HandlerCalls<>(handler, job, input, transactions, interceptors);
  }
}
