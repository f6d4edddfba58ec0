package io.leasehold.engine.submit;

import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.SecurityContext;
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

  public static @Nullable String correlation(SecurityContext caller) {
    return caller.correlationId().isEmpty() ? null : caller.correlationId();
  }
}
