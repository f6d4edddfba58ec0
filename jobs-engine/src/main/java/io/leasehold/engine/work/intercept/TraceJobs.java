package io.leasehold.engine.work.intercept;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.RetryLater;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.spi.JobInterceptor;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import jakarta.inject.Inject;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Carries a trace from a submission to the attempts of the job. Each attempt is a consumer span, a
 * child of the span in which the job was submitted. Without an OpenTelemetry SDK it does nothing.
 * Thread-safe.
 *
 * <p>A span contains no data of the tenant except the tenant's id: neither inputs nor failure
 * messages.
 */
final class TraceJobs implements JobInterceptor {

  /** The names of the metadata entries that it adds. */
  static final Set<String> NAMES = Set.copyOf(W3CTraceContextPropagator.getInstance().fields());

  private static final int METADATA_MAX = 64;

  @Inject
  TraceJobs() {}

  @Override
  public <I, O> JobRequest<I, O> submitting(SecurityContext caller, JobRequest<I, O> request) {
    if (!Span.current().getSpanContext().isValid()) {
      return request;
    }
    Map<String, String> words = new HashMap<>();
    W3CTraceContextPropagator.getInstance().inject(Context.current(), words, PutWord.INSTANCE);
    // A request without room for the trace is submitted without it, and not rejected.
    if (request.metadataValues().size() + words.size() > METADATA_MAX) {
      return request;
    }
    var traced = request;
    for (var word : words.entrySet()) {
      traced = traced.metadata(word.getKey(), word.getValue());
    }
    return traced;
  }

  @Override
  public @Nullable Object running(JobContext job, Execution execution) throws Exception {
    var span = span(job);
    try (var _ = span.makeCurrent()) {
      return execution.proceed();
    } catch (RetryLater later) {
      throw later; // Asking for a later retry is not a failure.
    } catch (Throwable failure) {
      span.setStatus(StatusCode.ERROR);
      span.setAttribute("error.type", failure.getClass().getName());
      throw failure;
    } finally {
      span.end();
    }
  }

  private static Span span(JobContext job) {
    var submission =
        W3CTraceContextPropagator.getInstance()
            .extract(Context.current(), job.metadata(), GetWord.INSTANCE);
    return tracer()
        .spanBuilder("job " + job.type().handler().value())
        .setParent(submission)
        .setSpanKind(SpanKind.CONSUMER)
        .setAttribute("leasehold.job", job.id().toString())
        .setAttribute("leasehold.handler", job.type().handler().value())
        .setAttribute("leasehold.queue", job.type().queue())
        .setAttribute("leasehold.tenant", job.caller().tenant().toString())
        .setAttribute("leasehold.attempt", job.attempt())
        .startSpan();
  }

  // Looked up each time, because the service may set its SDK after this class is created. The usual
  // lookup is avoided, because it would keep the service from setting one.
  private static Tracer tracer() {
    return GlobalOpenTelemetry.getOrNoop().getTracer("io.leasehold");
  }
}
