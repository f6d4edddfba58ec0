package io.leasehold.engine.submit;

import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.SecurityContext;
import java.util.List;
import java.util.Optional;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;

/** What requests say, as the functions that take them want it. */
public final class Requests {

  private Requests() {}

  public static JSON input(JobRequest<?, ?> request) {
    return Json.write("input", request.input());
  }

  public static @Nullable JSON metadata(JobRequest<?, ?> request) {
    return request.metadata().isEmpty() ? null : Json.write("metadata", request.metadata());
  }

  /** The key of each, or nothing if none has one. */
  static String @Nullable [] keys(List<? extends JobRequest<?, ?>> requests) {
    return requests.stream().map(JobRequest::key).anyMatch(Optional::isPresent)
        ? requests.stream().map(its -> its.key().orElse(null)).toArray(String[]::new)
        : null;
  }

  public static @Nullable String correlation(SecurityContext caller) {
    return caller.correlationId().isEmpty() ? null : caller.correlationId();
  }
}
