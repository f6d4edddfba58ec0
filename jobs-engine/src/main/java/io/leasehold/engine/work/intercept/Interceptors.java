package io.leasehold.engine.work.intercept;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionalJobInterceptor;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobInterceptor;
import io.leasehold.jobs.JobInterceptor.Execution;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.SecurityContext;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that stands around jobs, the outermost first: what comes with the platform, then what modules
 * registered, in their order. Safe to share.
 */
public final class Interceptors {

  private final List<JobInterceptor> all;
  private final LogContext log;
  private final List<TransactionalJobInterceptor> inTransaction;

  @Inject
  Interceptors(
      TraceJobs trace,
      LogContext log,
      Set<JobInterceptor> registered,
      Set<TransactionalJobInterceptor> inTransaction) {
    this.all = Stream.concat(Stream.of(trace, log), registered.stream()).toList();
    this.log = log;
    this.inTransaction = List.copyOf(inTransaction);
  }

  /**
   * The request as it is to be submitted.
   *
   * @throws IllegalStateException if an interceptor made it one of another type
   */
  public <I, O> JobRequest<I, O> submitting(SecurityContext caller, JobRequest<I, O> request) {
    var changed = request;
    for (var interceptor : all) {
      changed = interceptor.submitting(caller, changed);
      if (!changed.type().equals(request.type())) {
        throw new IllegalStateException(
            "%s changed the type of a request from %s to %s"
                .formatted(
                    interceptor.getClass().getName(),
                    request.type().handler(),
                    changed.type().handler()));
      }
    }
    return changed;
  }

  /** Runs an attempt with all of them around it. */
  public @Nullable Object running(JobContext job, Execution handler) throws Exception {
    var execution = handler;
    for (var interceptor : all.reversed()) {
      var inner = execution;
      execution = () -> interceptor.running(job, inner);
    }
    return execution.proceed();
  }

  /** Runs what comes before a handler in its transaction, the outermost first. */
  public void before(ScopedTransaction tx, JobContext job) throws Exception {
    for (var interceptor : inTransaction) {
      interceptor.before(tx, job);
    }
  }

  /** Runs what comes after a handler in its transaction, the innermost first. */
  public void after(ScopedTransaction tx, JobContext job, @Nullable Object output)
      throws Exception {
    for (var interceptor : inTransaction.reversed()) {
      interceptor.after(tx, job, output);
    }
  }

  /** Runs what comes before a handler is told of its failure, the outermost first. */
  public void beforeFailure(ScopedTransaction tx, JobContext job) throws Exception {
    for (var interceptor : inTransaction) {
      interceptor.beforeFailure(tx, job);
    }
  }

  /** Runs what belongs to an attempt and is not the attempt itself: it logs as the job. */
  public void telling(JobContext job, Execution callback) throws Exception {
    log.running(job, callback);
  }

  /** Whether the metadata of this name hold the trace of a submission. */
  public static boolean isTrace(String name) {
    return TraceJobs.NAMES.contains(name);
  }
}
