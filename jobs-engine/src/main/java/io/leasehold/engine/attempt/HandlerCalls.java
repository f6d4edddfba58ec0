package io.leasehold.engine.attempt;

import io.leasehold.db.TransactionalJobHandler;
import io.leasehold.db.Transactions;
import io.leasehold.engine.attempt.CallHandler.LastStatement;
import io.leasehold.engine.finish.Ending;
import io.leasehold.engine.intercept.Interceptors;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one attempt calls of its handler, always of the same instance. Belongs to its thread. */
public final class HandlerCalls<I, O> {

  private static final Logger log = LoggerFactory.getLogger(HandlerCalls.class);

  private final RegisteredHandler<I, O> handler;
  private final JobContext job;
  private final I input;
  private final Transactions transactions;
  private final Interceptors interceptors;
  private @Nullable Made made;
  private boolean committed;

  HandlerCalls(
      RegisteredHandler<I, O> handler,
      JobContext job,
      I input,
      Transactions transactions,
      Interceptors interceptors) {
    this.handler = handler;
    this.job = job;
    this.input = input;
    this.transactions = transactions;
    this.interceptors = interceptors;
  }

  /** A handler that was made for this attempt. */
  private interface Made {

    @Nullable Object run(LastStatement last) throws Exception;

    void onFailure(Throwable failure) throws Exception;
  }

  /**
   * Answers what the handler returned, or throws what it, or an interceptor, threw.
   *
   * @param last ends the job, if the handler works in the transaction that ends it
   */
  public @Nullable Object run(LastStatement last) throws Exception {
    var output = interceptors.running(job, () -> proceed(last));
    if (made == null) {
      throw new IllegalStateException("an interceptor did not let the handler run");
    }
    return output;
  }

  /** Whether the transaction that ends the job is committed, whatever was thrown after. */
  public boolean isCommitted() {
    return committed;
  }

  /** Tells the handler if its job fails for good by this ending. Throws nothing. */
  public void tellEnding(HeldJob held, Ending ending, Throwable failure) {
    var told = made;
    if (told != null && Judge.isForGood(ending, failure)) {
      held.beginToTell(ending, System.nanoTime());
      tell(
          "onFailure",
          () ->
              interceptors.telling(
                  job,
                  () -> {
                    told.onFailure(failure);
                    return null;
                  }));
      held.end();
    }
  }

  private @Nullable Object proceed(LastStatement last) throws Exception {
    if (made != null) {
      throw new IllegalStateException("an interceptor let the handler run twice");
    }
    made =
        switch (handler) {
          case RegisteredHandler.Plain<I, O> its -> plain(its.handler().get());
          case RegisteredHandler.InTransaction<I, O> its -> inTransaction(its.handler().get());
        };
    return made.run(last);
  }

  private Made plain(JobHandler<I, O> its) {
    return new Made() {
      @Override
      public @Nullable Object run(LastStatement last) throws Exception {
        var output = its.run(job, input);
        last.returned(output);
        tell("onSuccess", () -> its.onSuccess(job, input, output));
        return output;
      }

      @Override
      public void onFailure(Throwable failure) throws Exception {
        its.onFailure(job, input, failure);
      }
    };
  }

  private Made inTransaction(TransactionalJobHandler<I, O> its) {
    return new Made() {
      @Override
      public @Nullable Object run(LastStatement last) throws Exception {
        var result =
            transactions.<@Nullable Object, Exception>asTenant(
                job.caller(),
                tx -> {
                  var output = its.run(tx, job, input);
                  its.onSuccess(tx, job, input, output);
                  last.send(tx, output);
                  return output;
                });
        committed = true;
        return result;
      }

      @Override
      public void onFailure(Throwable failure) throws Exception {
        transactions.<@Nullable Object, Exception>asTenant(
            job.caller(),
            tx -> {
              its.onFailure(tx, job, input, failure);
              return null;
            });
      }
    };
  }

  private interface Callback {
    void run() throws Exception;
  }

  // What is told of the end does not change it.
  private void tell(String what, Callback callback) {
    try {
      callback.run();
    } catch (Throwable e) { // Part of the edge of an attempt: a handler's code may throw anything.
      log.warn("{} of job {} failed: {}", what, job.id(), ErrorText.withoutWords(e));
    }
  }
}
