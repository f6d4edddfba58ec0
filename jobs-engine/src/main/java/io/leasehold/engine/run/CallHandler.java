package io.leasehold.engine.run;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.Transactions;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobInterceptor;
import io.leasehold.jobs.JobInterceptor.Execution;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls a job's handler, with the interceptors around it. Safe to share. */
public final class CallHandler {

  private final Transactions transactions;
  private final List<JobInterceptor> interceptors;

  @Inject
  CallHandler(Transactions transactions, Set<JobInterceptor> interceptors) {
    this.transactions = transactions;
    this.interceptors = List.copyOf(interceptors);
  }

  /** The last statement of a handler's own transaction. */
  @FunctionalInterface
  public interface LastStatement {

    /** Ends the job with this output, if the transaction commits. */
    void send(ScopedTransaction tx, @Nullable Object output);
  }

  /**
   * Answers what the handler returned, or throws what it threw.
   *
   * @param last ends the job, if the handler works in the transaction that ends it
   */
  public <I, O> @Nullable Object call(
      RegisteredHandler<I, O> handler, JobContext job, I input, LastStatement last)
      throws Exception {
    Execution execution =
        switch (handler) {
          case RegisteredHandler.Plain<I, O> plain -> () -> plain.handler().get().run(job, input);
          case RegisteredHandler.InTransaction<I, O> inTransaction ->
              () -> inTransaction(inTransaction, job, input, last);
        };
    for (var interceptor : interceptors.reversed()) {
      var inner = execution;
      execution = () -> interceptor.running(job, inner);
    }
    return execution.proceed();
  }

  private <I, O> @Nullable Object inTransaction(
      RegisteredHandler.InTransaction<I, O> its, JobContext job, I input, LastStatement last)
      throws Exception {
    return transactions.<@Nullable Object, Exception>asTenant(
        job.caller(),
        tx -> {
          var output = its.handler().get().run(tx, job, input);
          last.send(tx, output);
          return output;
        });
  }
}
