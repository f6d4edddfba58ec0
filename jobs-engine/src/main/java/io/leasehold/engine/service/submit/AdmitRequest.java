package io.leasehold.engine.service.submit;

import io.leasehold.engine.work.intercept.Interceptors;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Checks a request before any part of it is written. Safe to share. */
public final class AdmitRequest {

  private static final int AT_ONCE = 1_000;

  private final Interceptors interceptors;

  @Inject
  AdmitRequest(Interceptors interceptors) {
    this.interceptors = interceptors;
  }

  /**
   * Returns the request to store: as interceptors changed it, and after its type's check accepted
   * it.
   *
   * @throws JobsException with {@link ErrorCode#INPUT_REFUSED} if the check refuses it
   * @throws IllegalArgumentException if it would reuse a job and has no key
   */
  public <I, O> JobRequest<I, O> admit(SecurityContext caller, JobRequest<I, O> request) {
    var admitted = interceptors.submitting(caller, request);
    if (admitted.reuseWithin().isPresent() && admitted.key().isEmpty()) {
      throw new IllegalArgumentException("a request that is content with a job needs its key");
    }
    requireTaken(admitted);
    return admitted;
  }

  /** Admits the next requests, as many as one call stores. Returns none after the last one. */
  public List<JobRequest<?, ?>> admitSome(
      SecurityContext caller, Iterator<? extends JobRequest<?, ?>> requests) {
    var admitted = new ArrayList<JobRequest<?, ?>>();
    while (requests.hasNext() && admitted.size() < AT_ONCE) {
      admitted.add(admit(caller, requests.next()));
    }
    return admitted;
  }

  /**
   * Applies the checks of a request's type, to the input and to the request as a whole.
   *
   * @throws JobsException with {@link ErrorCode#INPUT_REFUSED} if one of them refuses it
   */
  public static <I> void requireTaken(JobRequest<I, ?> request) {
    try {
      request.type().check().check(request.input());
      request.type().requestChecks().forEach(check -> check.check(request));
    } catch (IllegalArgumentException e) {
      throw new JobsException(ErrorCode.INPUT_REFUSED, String.valueOf(e.getMessage()), e);
    }
  }
}
