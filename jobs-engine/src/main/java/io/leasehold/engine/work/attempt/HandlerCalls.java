package io.leasehold.engine.work.attempt;

import io.leasehold.db.TransactionalJobHandler;
import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.ErrorText;
import io.leasehold.engine.work.attempt.CallHandler.LastStatement;
import io.leasehold.engine.work.finish.Ending;
import io.leasehold.engine.work.handlers.RegisteredHandler;
import io.leasehold.engine.work.intercept.Interceptors;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls that one attempt makes to its handler, always to the same instance. Confined to the
 * attempt's thread.
 */
public final class HandlerCalls<I, O> {

  private static final Logger log = LoggerFactory.getLogger(HandlerCalls.class);

  private final RegisteredHandler<I, O> handler;
  private final JobContext job;
  private final I input;
  private final Transactions transactions;
  private final Interceptors interceptors;
  private @Nullable Made made;
  private @Nullable Throwable thrown;
  private Commit commit = Commit.NOT_ASKED_FOR;

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

  /** The state of the transaction that ends the job. */
  private enum Commit {
    NOT_ASKED_FOR,
    /**
     * The ending is its last statement. It may still be rolled back, or the commit's answer lost.
     */
    OPEN,
    COMMITTED,
    ROLLED_BACK
  }

  /** A handler created for this attempt. */
  private interface Made {

    @Nullable Object run(LastStatement last) throws Exception;

    void onFailure(Throwable failure) throws Exception;
  }

  /**
   * Runs the handler, or throws what the handler or an interceptor threw. An interceptor that
   * returns normally hides neither an exception of the handler nor a rollback of the transaction
   * that ends the job.
   *
   * @param last ends the job, if the handler works in the transaction that ends it
   */
  public void run(LastStatement last) throws Throwable {
    interceptors.running(job, () -> proceed(last));
    if (isCommitted()) {
      return;
    }
    if (thrown != null) {
      throw thrown;
    }
    if (made == null) {
      throw new IllegalStateException("an interceptor did not let the handler run");
    }
    if (commit == Commit.OPEN) {
      throw new IllegalStateException(
          "the transaction of an interceptor, which ends the job, was rolled back");
    }
  }

  /**
   * Whether the transaction that ends the job is committed, whatever was thrown afterwards. If the
   * handler joined an interceptor's transaction, that transaction counts.
   */
  public boolean isCommitted() {
    return commit == Commit.COMMITTED;
  }

  /** Whether the outcome of that transaction is still unknown here. */
  boolean isCommitOpen() {
    return commit == Commit.OPEN;
  }

  /** Returns the failure of the attempt, once the outcome of that transaction is known. */
  Throwable resolved(Throwable failure) {
    return commit == Commit.ROLLED_BACK && isOutcomeUnknown(failure)
        ? new JobsException(
            ErrorCode.DATABASE_UNREACHABLE,
            "the connection broke before the transaction that ends the job was committed",
            failure)
        : failure;
  }

  /** Records the outcome of that transaction, as the database reports it. */
  void commitResolved(boolean isCommitted) {
    commit = isCommitted ? Commit.COMMITTED : Commit.ROLLED_BACK;
  }

  /** Logs an exception thrown after the job succeeded. Throws nothing. */
  public void tellThrownAfterCommit(Throwable failure) {
    try {
      log.warn(
          "job {} has succeeded; ignored what was thrown after its commit: {}",
          job.id(),
          ErrorText.withoutWords(failure));
    } catch (Throwable e) { // No memory is left for logging, and nothing has to be undone.
      failure.addSuppressed(e);
    }
  }

  /** Notifies the handler if this ending fails its job for good. Throws nothing. */
  public void tellEnding(RunningJob held, Ending ending, Throwable failure) {
    var told = made;
    if (told != null && Judge.isForGood(ending) && isKnown(failure)) {
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

  // A transaction whose commit may have happened must not be reported as failed.
  private boolean isKnown(Throwable failure) {
    return commit == Commit.ROLLED_BACK || !isOutcomeUnknown(failure);
  }

  private static boolean isOutcomeUnknown(Throwable failure) {
    return failure instanceof JobsException e && e.code() == ErrorCode.OUTCOME_UNKNOWN;
  }

  private @Nullable Object proceed(LastStatement last) throws Exception {
    try {
      return made(last);
    } catch (Throwable e) {
      thrown = e;
      throw e;
    }
  }

  private @Nullable Object made(LastStatement last) throws Exception {
    if (made != null) {
      throw new IllegalStateException("an interceptor let the handler run twice");
    }
    made =
        switch (handler) {
          case RegisteredHandler.Plain<I, O> plain -> plain(plain.handler().get());
          case RegisteredHandler.InTransaction<I, O> transactional ->
              inTransaction(transactional.handler().get());
        };
    return made.run(last);
  }

  private Made plain(JobHandler<I, O> jobHandler) {
    return new Made() {
      @Override
      public @Nullable Object run(LastStatement last) throws Exception {
        var output = jobHandler.run(job, input);
        last.returned(output);
        tell("onSuccess", () -> jobHandler.onSuccess(job, input, output));
        last.told();
        return output;
      }

      @Override
      public void onFailure(Throwable failure) throws Exception {
        jobHandler.onFailure(job, input, failure);
      }
    };
  }

  private Made inTransaction(TransactionalJobHandler<I, O> jobHandler) {
    return new Made() {
      @Override
      public @Nullable Object run(LastStatement last) throws Exception {
        return transactions.<@Nullable Object, Exception>asTenant(
            job.caller(),
            tx -> {
              interceptors.before(tx, job);
              var output = jobHandler.run(tx, job, input);
              jobHandler.onSuccess(tx, job, input, output);
              interceptors.after(tx, job, output);
              last.send(tx, output);
              commit = Commit.OPEN;
              tx.afterCommit(() -> commit = Commit.COMMITTED);
              return output;
            });
      }

      @Override
      public void onFailure(Throwable failure) throws Exception {
        transactions.<@Nullable Object, Exception>asTenant(
            job.caller(),
            tx -> {
              interceptors.beforeFailure(tx, job);
              jobHandler.onFailure(tx, job, input, failure);
              return null;
            });
      }
    };
  }

  private interface Callback {
    void run() throws Exception;
  }

  // A failing callback does not change the ending.
  private void tell(String what, Callback callback) {
    try {
      callback.run();
    } catch (Throwable e) { // Attempt boundary: handler code may throw anything.
      log.warn("{} of job {} failed: {}", what, job.id(), ErrorText.withoutWords(e));
    }
  }
}
