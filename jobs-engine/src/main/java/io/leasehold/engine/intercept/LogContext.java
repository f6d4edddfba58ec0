package io.leasehold.engine.intercept;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobInterceptor;
import jakarta.inject.Inject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Says in the log context which job it is that logs: {@code job}, {@code handler}, {@code tenant},
 * {@code attempt} and, where the submission had one, {@code correlation}. Safe to share.
 */
final class LogContext implements JobInterceptor {

  private static final List<String> WORDS =
      List.of("job", "handler", "tenant", "attempt", "correlation");

  @Inject
  LogContext() {}

  @Override
  public @Nullable Object running(JobContext job, Execution execution) throws Exception {
    var caller = job.caller();
    MDC.put("job", job.id().toString());
    MDC.put("handler", job.type().handler().value());
    MDC.put("tenant", caller.tenant().toString());
    MDC.put("attempt", Integer.toString(job.attempt()));
    if (!caller.correlationId().isEmpty()) {
      MDC.put("correlation", caller.correlationId());
    }
    try {
      return execution.proceed();
    } finally {
      WORDS.forEach(MDC::remove);
    }
  }
}
