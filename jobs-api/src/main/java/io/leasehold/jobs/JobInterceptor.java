package io.leasehold.jobs;

import org.jspecify.annotations.Nullable;

/**
 * Stands around the submission and the execution of every job: for traces, audits, context of logs.
 * Registered in the Guice module of a service; the first that was registered is the outermost.
 *
 * <p>Called by several threads at once. What one throws counts: a submission fails with it, an
 * attempt ends as if the handler had thrown it.
 */
public interface JobInterceptor {

  /**
   * Sees a request before anything of it is stored, and may change it: add metadata, for one. The
   * type is the request's own and stays.
   *
   * @param caller who submits
   * @return the request to go on with
   */
  default <I, O> JobRequest<I, O> submitting(SecurityContext caller, JobRequest<I, O> request) {
    return request;
  }

  /**
   * Goes around an attempt, on its thread. Has to call {@link Execution#proceed} once, and to
   * answer what that returned.
   *
   * <p>What this throws fails the attempt, unless a transaction that ends the job is committed by
   * then: the job has succeeded, and what was thrown is logged. If this opens a transaction of the
   * job's caller around {@code proceed}, those of the handler join it, and its commit decides. To
   * return does not hide that {@code proceed} threw.
   *
   * @param job whose metadata tells what {@link #submitting} added
   */
  default @Nullable Object running(JobContext job, Execution execution) throws Exception {
    return execution.proceed();
  }

  /** The rest of an attempt: further interceptors, and the handler. */
  @FunctionalInterface
  interface Execution {

    /** Runs it; returns what the handler returned, throws what it threw. */
    @Nullable Object proceed() throws Exception;
  }
}
