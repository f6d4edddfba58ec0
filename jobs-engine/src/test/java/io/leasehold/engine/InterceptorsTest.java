package io.leasehold.engine;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import com.google.inject.AbstractModule;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.spi.JobInterceptor;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.MDC;

/** What stands around jobs. Examples of the guide are here. */
class InterceptorsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).correlationId("request 7").build();
  private static final JobType<String, String> ECHO = Handlers.type("echo");
  private static final JobType<String, String> CONTEXT = Handlers.type("context");
  private static final JobType<String, String> IN_TX = Handlers.type("in_tx");
  private static final JobType<String, String> CHECKED =
      Handlers.type("checked")
          .check(
              input -> {
                throw new IllegalArgumentException("no input is good enough");
              });
  private static final JobType<String, String> SECRET = Handlers.type("secret");

  private static final JobType<String, String> KEPT = Handlers.type("kept");
  private static final JobType<String, String> NESTED = Handlers.type("nested");

  private static final List<String> audit = new CopyOnWriteArrayList<>();
  private static final List<String> nesting = new CopyOnWriteArrayList<>();
  private static RunningEngine engine;

  /** Notes who submitted what, and what came of it. */
  static final class Audit implements JobInterceptor {

    @Override
    public <I, O> JobRequest<I, O> submitting(SecurityContext caller, JobRequest<I, O> request) {
      audit.add(caller.principal() + " submits " + request.type().queue());
      return request;
    }

    @Override
    public @Nullable Object running(JobContext job, Execution execution) throws Exception {
      var output = execution.proceed();
      audit.add("%s ran %s".formatted(job.caller().principal(), job.type().queue()));
      return output;
    }
  }

  /** Takes the number of a trace from who submits to who runs. */
  static final class Trace implements JobInterceptor {

    static final ScopedValue<String> NUMBER = ScopedValue.newInstance();

    @Override
    public <I, O> JobRequest<I, O> submitting(SecurityContext caller, JobRequest<I, O> request) {
      return NUMBER.isBound() ? request.metadata("trace", NUMBER.get()) : request;
    }

    @Override
    public @Nullable Object running(JobContext job, Execution execution) throws Exception {
      var number = job.metadata().getOrDefault("trace", "none");
      return ScopedValue.where(NUMBER, number)
          .<@Nullable Object, Exception>call(execution::proceed);
    }
  }

  static final class AroundJobs extends AbstractModule {
    @Override
    protected void configure() {
      var handlers = handlerBinder(binder());
      handlers.intercept(Audit.class);
      handlers.intercept(Trace.class);
    }
  }

  /** Does what it must not. */
  private static final class Unruly implements JobInterceptor {

    @Override
    @SuppressWarnings("unchecked") // It cheats.
    public <I, O> JobRequest<I, O> submitting(SecurityContext caller, JobRequest<I, O> request) {
      return request.key().equals(Optional.of("other type"))
          ? (JobRequest<I, O>) ECHO.request("instead")
          : request;
    }

    @Override
    public @Nullable Object running(JobContext job, Execution execution) throws Exception {
      return switch (job.metadata().getOrDefault("unruly", "")) {
        case "twice" -> {
          execution.proceed();
          yield execution.proceed();
        }
        case "never" -> "instead";
        case "after" -> {
          execution.proceed();
          throw new IllegalStateException("after the handler");
        }
        default -> execution.proceed();
      };
    }
  }

  /** Notes when it is called for jobs of one type. */
  private record Noting(String name) implements JobInterceptor {

    @Override
    public <I, O> JobRequest<I, O> submitting(SecurityContext caller, JobRequest<I, O> request) {
      if (request.type().equals(NESTED)) {
        nesting.add(name + " submits");
      }
      return request;
    }

    @Override
    public @Nullable Object running(JobContext job, Execution execution) throws Exception {
      if (!job.type().equals(NESTED)) {
        return execution.proceed();
      }
      nesting.add(name + " begins");
      var output = execution.proceed();
      nesting.add(name + " ends");
      return output;
    }
  }

  @BeforeAll
  static void start() {
    var handlers =
        new Handlers()
            .with(ECHO, (job, input) -> Trace.NUMBER.get())
            .with(CHECKED, (job, input) -> input)
            .with(SECRET, (job, input) -> input)
            .with(
                CONTEXT,
                (job, input) -> {
                  var context = MDC.getCopyOfContextMap();
                  return context == null ? "none" : Map.copyOf(context).toString();
                })
            .inTransaction(IN_TX, (tx, job, input) -> input)
            .with(
                NESTED,
                (job, input) -> {
                  nesting.add("run");
                  return input;
                })
            .around(new Unruly())
            .around(new Noting("outer"))
            .around(new Noting("inner"));
    engine = RunningEngine.on(database, EngineConfig.defaults(), new AroundJobs(), handlers);
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @Test
  void carriesAValueFromTheSubmitterToTheHandler() {
    var one =
        ScopedValue.where(Trace.NUMBER, "4711")
            .call(() -> engine.jobs().submit(CALLER, ECHO.request("")).jobId());
    var ofMany =
        ScopedValue.where(Trace.NUMBER, "4712")
            .call(
                () ->
                    engine
                        .jobs()
                        .submitAll(CALLER, List.of(ECHO.request("")).iterator())
                        .getFirst()
                        .jobId());
    var inTransaction =
        ScopedValue.where(Trace.NUMBER, "4713")
            .call(
                () ->
                    engine
                        .transactions()
                        .asTenant(
                            CALLER, tx -> engine.jobs().submit(tx, ECHO.request("")).jobId()));

    assertThat(output(one)).isEqualTo("4711");
    assertThat(output(ofMany)).isEqualTo("4712");
    assertThat(output(inTransaction)).isEqualTo("4713");
  }

  @Test
  void seesSubmissionsAndAttempts() {
    awaitEnd(engine.jobs().submit(CALLER, ECHO.request("")).jobId());

    assertThat(audit).containsSubsequence("ann submits echo", "ann ran echo");
  }

  @Test
  void interceptorsNestInTheOrderOfTheirRegistration() {
    awaitEnd(engine.jobs().submit(CALLER, NESTED.request("")).jobId());

    assertThat(nesting)
        .containsExactly(
            "outer submits",
            "inner submits",
            "outer begins",
            "inner begins",
            "run",
            "inner ends",
            "outer ends");
  }

  @Test
  void runsBeforeTheCheckOfTheInput() {
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> engine.jobs().submit(CALLER, CHECKED.request("")))
        .extracting(JobsException::code)
        .isEqualTo(ErrorCode.INPUT_REFUSED);

    assertThat(audit).contains("ann submits checked").doesNotContain("ann ran checked");
  }

  @Test
  void cannotMakeItAnotherJob() {
    assertThatIllegalStateException()
        .isThrownBy(() -> engine.jobs().submit(CALLER, KEPT.request("").key("other type")))
        .withMessageContaining("changed the type of a request");
    assertThat(engine.jobs().list(CALLER, JobFilter.newest().handler(KEPT.handler())).jobs())
        .isEmpty();
  }

  @Test
  void failsTheAttemptIfItLetsTheHandlerRunTwiceOrNever() {
    assertThat(unruly(SECRET, "twice").lastError().orElseThrow()).contains("run twice");
    assertThat(unruly(SECRET, "never").lastError().orElseThrow()).contains("not let the handler");
    assertThat(unruly(IN_TX, "never").lastError().orElseThrow()).contains("not let the handler");
  }

  @Test
  void failsTheAttemptIfItThrows() {
    assertThat(unruly(SECRET, "after").lastError().orElseThrow()).contains("after the handler");
  }

  @Test
  void cannotUndoACommittedSuccess() {
    assertThat(unruly(IN_TX, "after").status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(unruly(IN_TX, "twice").status()).isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void logsAsTheJob() {
    var id = engine.jobs().submit(CALLER, CONTEXT.request("")).jobId();

    assertThat(output(id))
        .contains("job=" + id, "handler=" + CONTEXT.handler().value(), "attempt=1")
        .contains("tenant=" + CALLER.tenant(), "correlation=request 7");
    assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
  }

  private static Job unruly(JobType<String, String> type, String how) {
    var request = type.request("").metadata("unruly", how);
    return awaitEnd(engine.jobs().submit(CALLER, request).jobId());
  }

  private static String output(JobId id) {
    awaitEnd(id);
    var result = engine.jobs().result(CALLER, id, String.class);
    return String.valueOf(((JobResult.Succeeded<String>) result).output());
  }

  private static Job awaitEnd(JobId id) {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> engine.jobs().find(CALLER, id).orElseThrow().status().isFinal());
    return engine.jobs().find(CALLER, id).orElseThrow();
  }
}
