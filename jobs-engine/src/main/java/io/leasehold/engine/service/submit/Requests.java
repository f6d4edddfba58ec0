package io.leasehold.engine.service.submit;

import io.leasehold.engine.service.values.Json;
import io.leasehold.engine.service.values.Metadata;
import io.leasehold.engine.work.intercept.Interceptors;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;

/** Converts the parts of requests to the arguments of the SQL functions. */
public final class Requests {

  private Requests() {}

  public static JSON input(JobRequest<?, ?> request) {
    return Json.write("input", request.input());
  }

  /**
   * Returns the metadata. If a request has no room for its trace, it is submitted without the trace
   * instead of being refused.
   *
   * @throws JobsException with {@link ErrorCode#VALUE_REFUSED} if a value cannot be written, and
   *     {@link ErrorCode#TOO_LARGE} if all of them are too long
   */
  public static @Nullable JSON metadata(JobRequest<?, ?> request) {
    try {
      return Metadata.write(request.metadataValues());
    } catch (JobsException e) {
      var untraced = new HashMap<>(request.metadataValues());
      if (e.code() != ErrorCode.TOO_LARGE || !untraced.keySet().removeIf(Interceptors::isTrace)) {
        throw e;
      }
      return Metadata.write(untraced);
    }
  }

  /** Returns the input of each request. */
  static JSON[] inputs(List<? extends JobRequest<?, ?>> requests) {
    return requests.stream().map(Requests::input).toArray(JSON[]::new);
  }

  /** Returns the metadata of each request, or null for a request without any. */
  static JSON[] metadataOf(List<? extends JobRequest<?, ?>> requests) {
    return requests.stream().map(Requests::metadata).toArray(JSON[]::new);
  }

  /** Returns the key of each request, or null if no request has one. */
  static String @Nullable [] keys(List<? extends JobRequest<?, ?>> requests) {
    return requests.stream().map(JobRequest::key).anyMatch(Optional::isPresent)
        ? requests.stream().map(request -> request.key().orElse(null)).toArray(String[]::new)
        : null;
  }

  public static @Nullable String correlation(SecurityContext caller) {
    return caller.correlationId().isEmpty() ? null : caller.correlationId();
  }
}
