package io.leasehold.engine.work.intercept;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobInterceptor;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.RetryLater;
import io.leasehold.jobs.SecurityContext;
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
 * Takes a trace from a submission to the attempts of the job: each is a consumer span, the child of
 * the span in which the job was submitted. Without an SDK of OpenTelemetry it does nothing. Safe to
 * share.
 *
 * <p>Of the tenant's data a span holds nothing but the tenant's id: neither inputs nor messages of
 * failures.
 */
final class TraceJobs implements JobInterceptor {

  /** The names of what it adds to metadata. */
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
    // A request without room for it goes without a trace, rather than not at all.
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
      throw later; // Not yet is no failure.
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

  // Asked each time, since the service may set its SDK after this was made; and asked so, since
  // the usual way to ask would keep it from setting one.
  private static Tracer tracer() {
    return GlobalOpenTelemetry.getOrNoop().getTracer("io.leasehold");
  }
}
