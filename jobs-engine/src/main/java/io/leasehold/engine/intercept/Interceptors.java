package io.leasehold.engine.intercept;

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

  @Inject
  Interceptors(TraceJobs trace, LogContext log, Set<JobInterceptor> registered) {
    this.all = Stream.concat(Stream.of(trace, log), registered.stream()).toList();
    this.log = log;
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

  /** Runs what belongs to an attempt and is not the attempt itself: it logs as the job. */
  public void telling(JobContext job, Execution callback) throws Exception {
    log.running(job, callback);
  }
}
