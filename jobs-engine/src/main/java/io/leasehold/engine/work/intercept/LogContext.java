package io.leasehold.engine.work.intercept;

import io.leasehold.engine.log.LogKeys;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.spi.JobInterceptor;
import jakarta.inject.Inject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Adds the job to the log context: {@code job}, {@code handler}, {@code tenant}, {@code attempt}
 * and, if the submission had one, {@code correlation}. Thread-safe.
 */
final class LogContext implements JobInterceptor {

  private static final List<String> WORDS =
      List.of(LogKeys.JOB, LogKeys.HANDLER, LogKeys.TENANT, LogKeys.ATTEMPT, LogKeys.CORRELATION);

  @Inject
  LogContext() {}

  @Override
  public @Nullable Object running(JobContext job, Execution execution) throws Exception {
    var caller = job.caller();
    MDC.put(LogKeys.JOB, job.id().toString());
    MDC.put(LogKeys.HANDLER, job.type().handler().value());
    MDC.put(LogKeys.TENANT, caller.tenant().toString());
    MDC.put(LogKeys.ATTEMPT, Integer.toString(job.attempt()));
    if (!caller.correlationId().isEmpty()) {
      MDC.put(LogKeys.CORRELATION, caller.correlationId());
    }
    try {
      return execution.proceed();
    } finally {
      WORDS.forEach(MDC::remove);
    }
  }
}
