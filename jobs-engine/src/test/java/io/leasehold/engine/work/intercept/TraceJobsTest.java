package io.leasehold.engine.work.intercept;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.inject.Module;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.RunningEngine;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryLater;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A trace from where a job is submitted to where it runs. */
class TraceJobsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  @RegisterExtension
  static final OpenTelemetryExtension telemetry = OpenTelemetryExtension.create();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final String HANDLER = "gts.x.core.jobs.handler.v1~acme.tests.traces.traced.v1";
  private static final JobType<String, String> TRACED =
      JobType.restartable(HANDLER, String.class, String.class)
          .queue("traced")
          .retry(RetryPolicy.exponential(2).first(Duration.ofMillis(1)));

  private static RunningEngine engine;

  @BeforeAll
  static void start() {
    Module module =
        binder ->
            handlerBinder(binder)
                .handle(TRACED)
                .with(
                    (job, input) -> {
                      if (input.equals("fails")) {
                        throw new IllegalStateException("a secret of the tenant");
                      }
                      if (input.equals("later") && job.metadata().containsKey("first")) {
                        throw new RetryLater(Duration.ofHours(1));
                      }
                      telemetry
                          .getOpenTelemetry()
                          .getTracer("test")
                          .spanBuilder("work")
                          .startSpan()
                          .end();
                      return job.metadata().toString();
                    });
    engine = RunningEngine.on(database, EngineConfig.defaults(), module);
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @Test
  void attemptSpanIsAChildOfTheSubmittersSpan() {
    var submission = span("submission");
    JobId id;
    try (var _ = submission.makeCurrent()) {
      id = engine.jobs().submit(CALLER, TRACED.request("works")).jobId();
    } finally {
      submission.end();
    }

    var attempt = spansOf(id, 1).getFirst();

    assertThat(attempt.getTraceId()).isEqualTo(submission.getSpanContext().getTraceId());
    assertThat(attempt.getParentSpanId()).isEqualTo(submission.getSpanContext().getSpanId());
    assertThat(attempt.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(attempt.getName()).isEqualTo("job " + HANDLER);
    assertThat(attempt.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(attempt.getAttributes().get(AttributeKey.stringKey("leasehold.handler")))
        .isEqualTo(HANDLER);
    assertThat(attempt.getAttributes().get(AttributeKey.stringKey("leasehold.queue")))
        .isEqualTo("traced");
    assertThat(attempt.getAttributes().get(AttributeKey.stringKey("leasehold.tenant")))
        .isEqualTo(CALLER.tenant().toString());
    assertThat(attempt.getAttributes().get(AttributeKey.longKey("leasehold.attempt"))).isEqualTo(1);
    assertThat(telemetry.getSpans())
        .filteredOn(span -> span.getName().equals("work"))
        .extracting(SpanData::getParentSpanId)
        .contains(attempt.getSpanId());
  }

  @Test
  void eachAttemptHasASpanWithOnlyTheKindOfItsFailure() {
    JobId id;
    var submission = span("submission");
    try (var _ = submission.makeCurrent()) {
      id = engine.jobs().submit(CALLER, TRACED.request("fails")).jobId();
    } finally {
      submission.end();
    }

    assertThat(spansOf(id, 2))
        .allSatisfy(
            span -> {
              assertThat(span.getTraceId()).isEqualTo(submission.getSpanContext().getTraceId());
              assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
              assertThat(span.getAttributes().get(AttributeKey.stringKey("error.type")))
                  .isEqualTo("java.lang.IllegalStateException");
              assertThat(span.toString()).doesNotContain("secret");
            })
        .extracting(span -> span.getAttributes().get(AttributeKey.longKey("leasehold.attempt")))
        .containsExactly(1L, 2L);
  }

  @Test
  void carriesTheTraceState() {
    var state = TraceState.builder().put("vendor", "its own").build();
    var remote =
        SpanContext.createFromRemoteParent(
            "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", TraceFlags.getSampled(), state);
    JobId id;
    try (var _ = Span.wrap(remote).makeCurrent()) {
      id = engine.jobs().submit(CALLER, TRACED.request("works")).jobId();
    }

    var attempt = spansOf(id, 1).getFirst();

    assertThat(attempt.getTraceId()).isEqualTo(remote.getTraceId());
    assertThat(attempt.getParentSpanContext().getTraceState()).isEqualTo(state);
  }

  @Test
  void putOffIsNoFailure() {
    var request = TRACED.request("later").metadata("first", "yes");

    var id = engine.jobs().submit(CALLER, request).jobId();

    assertThat(spansOf(id, 1).getFirst().getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
  }

  @Test
  void submissionWithoutATraceIsUnchanged() {
    var id = engine.jobs().submit(CALLER, TRACED.request("works")).jobId();

    assertThat(spansOf(id, 1).getFirst().getParentSpanContext().isValid()).isFalse();
    await().until(() -> engine.jobs().find(CALLER, id).orElseThrow().status().isFinal());
    assertThat(engine.jobs().result(CALLER, id, String.class))
        .isEqualTo(new JobResult.Succeeded<>("{}"));
  }

  @Test
  void traceIsOmittedIfMetadataHasNoRoom() {
    JobRequest<String, String> request = TRACED.request("works");
    for (int i = 0; i < 64; i++) {
      request = request.metadata("word " + i, "taken");
    }
    assertSubmittedWithoutTrace(request);
  }

  @Test
  void traceIsOmittedFromLongMetadata() {
    assertSubmittedWithoutTrace(TRACED.request("works").metadata("long", "x".repeat(65_500)));
  }

  private static void assertSubmittedWithoutTrace(JobRequest<String, String> request) {
    var submission = span("submission");
    JobId id;
    try (var _ = submission.makeCurrent()) {
      id = engine.jobs().submit(CALLER, request).jobId();
    } finally {
      submission.end();
    }

    assertThat(spansOf(id, 1).getFirst().getParentSpanContext().isValid()).isFalse();
  }

  private static Span span(String name) {
    return telemetry.getOpenTelemetry().getTracer("test").spanBuilder(name).startSpan();
  }

  private static List<SpanData> spansOf(JobId id, int many) {
    var job = AttributeKey.stringKey("leasehold.job");
    return await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                telemetry.getSpans().stream()
                    .filter(span -> id.toString().equals(span.getAttributes().get(job)))
                    .toList(),
            spans -> spans.size() == many);
  }
}
