package io.leasehold.jobs.spi;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.SecurityContext;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the submission and the execution of every job, for tracing, auditing or log context.
 * Interceptors are registered in the Guice module of a service; the first one registered is the
 * outermost.
 *
 * <p>Several threads call an interceptor concurrently. Exceptions matter: a submission fails with
 * the exception of an interceptor, and an attempt ends as if the handler had thrown it.
 */
public interface JobInterceptor {

  /**
   * Intercepts a request before anything of it is stored, and may change it, for example by adding
   * metadata. The type of the request cannot be changed.
   *
   * @param caller the caller that submits the job
   * @return the request to continue with
   */
  default <I, O> JobRequest<I, O> submitting(SecurityContext caller, JobRequest<I, O> request) {
    return request;
  }

  /**
   * Wraps an attempt, on the attempt's thread. An implementation must call {@link
   * Execution#proceed} once and return the result.
   *
   * <p>An exception from this method fails the attempt, unless a transaction that ends the job has
   * already committed. In that case the job has succeeded, and the exception is logged. If this
   * method opens a transaction of the job's caller around {@code proceed}, transactions of the
   * handler join it, and its commit decides. Returning normally does not hide an exception from
   * {@code proceed}.
   *
   * @param job the job, whose metadata includes the values that {@link #submitting} added
   */
  default @Nullable Object running(JobContext job, Execution execution) throws Exception {
    return execution.proceed();
  }

  /** The rest of an attempt: further interceptors, and the handler. */
  @FunctionalInterface
  interface Execution {

    /** Runs the rest of the attempt; returns or throws what the handler returned or threw. */
    @Nullable Object proceed() throws Exception;
  }
}
