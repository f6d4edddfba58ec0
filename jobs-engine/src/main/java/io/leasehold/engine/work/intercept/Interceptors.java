package io.leasehold.engine.work.intercept;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionalJobInterceptor;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.spi.JobInterceptor;
import io.leasehold.jobs.spi.JobInterceptor.Execution;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All interceptors around jobs, the outermost first: the platform's own, then those that modules
 * registered, in their order. Thread-safe.
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
   * Returns the request as it is to be submitted.
   *
   * @throws IllegalStateException if an interceptor changed the type of the request
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

  /** Runs an attempt inside all interceptors. */
  public @Nullable Object running(JobContext job, Execution handler) throws Exception {
    var execution = handler;
    for (var interceptor : all.reversed()) {
      var inner = execution;
      execution = () -> interceptor.running(job, inner);
    }
    return execution.proceed();
  }

  /** Runs what precedes a handler in its transaction, the outermost interceptor first. */
  public void before(ScopedTransaction tx, JobContext job) throws Exception {
    for (var interceptor : inTransaction) {
      interceptor.before(tx, job);
    }
  }

  /** Runs what follows a handler in its transaction, the innermost interceptor first. */
  public void after(ScopedTransaction tx, JobContext job, @Nullable Object output)
      throws Exception {
    for (var interceptor : inTransaction.reversed()) {
      interceptor.after(tx, job, output);
    }
  }

  /** Runs what precedes a handler's {@code onFailure}, the outermost interceptor first. */
  public void beforeFailure(ScopedTransaction tx, JobContext job) throws Exception {
    for (var interceptor : inTransaction) {
      interceptor.beforeFailure(tx, job);
    }
  }

  /**
   * Runs a callback that belongs to an attempt but is not the attempt itself, with the job's log
   * context.
   */
  public void telling(JobContext job, Execution callback) throws Exception {
    log.running(job, callback);
  }

  /** Whether a metadata entry with this name holds the trace of a submission. */
  public static boolean isTrace(String name) {
    return TraceJobs.NAMES.contains(name);
  }
}
