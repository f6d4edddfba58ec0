package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nothing that a tenant, a user or a handler says reaches a registry. */
class MeterCanariesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final String CANARY = "canary";
  private static final UUID TENANT = new UUID(0xCAFE_CAFE_CAFE_CAFEL, 0xBABE);
  private static final SecurityContext CALLER =
      SecurityContext.of(CANARY, new TenantId(TENANT)).correlationId(CANARY).build();
  private static final JobType<String, String> TYPE = Handlers.type("told");

  /** Its handler is of another process, its queue of none. */
  private static final JobType<String, String> STRANGE =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.tests.canary.canary.v1", String.class, String.class)
          .queue(CANARY);

  @Test
  void tagsContainNoTenantData() {
    var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    var meters = new Metered(registry);
    var handlers =
        new Handlers()
            .with(
                TYPE,
                (job, input) -> {
                  job.progress(1, CANARY);
                  job.event(CANARY, CANARY);
                  if (input.contains("fail")) {
                    throw new IllegalStateException(CANARY);
                  }
                  return CANARY;
                });
    var config = EngineConfig.defaults().workerName(CANARY);
    try (var engine = RunningEngine.on(database, config, handlers, meters)) {
      var jobs = engine.jobs();
      var request = TYPE.request(CANARY).key(CANARY).metadata(CANARY, CANARY);
      var id = jobs.submit(CALLER, request).jobId();
      jobs.submit(CALLER, TYPE.request(CANARY + " fail"));
      jobs.submit(CALLER, STRANGE.request(CANARY));
      await().until(() -> meters.times("leasehold.attempts.run", "outcome", "failed") == 1);
      await().until(() -> meters.times("leasehold.attempts.run", "outcome", "succeeded") == 1);
      await().until(() -> meters.gauge("leasehold.queue.depth", "queue", "other") >= 0);

      var told =
          (registry.scrape()
                  + registry.getMeters().stream()
                      .map(Meter::getId)
                      .map(Meter.Id::toString)
                      .collect(Collectors.joining()))
              .toLowerCase(Locale.ROOT);

      assertThat(told)
          .contains("told", "leasehold_jobs_submitted_total")
          .doesNotContain(CANARY, TENANT.toString(), id.toString());
    }
  }

  @Test
  void numberOfMetersDoesNotGrow() {
    var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    var handlers = new Handlers().with(TYPE, (job, input) -> input);
    try (var engine =
        RunningEngine.on(database, EngineConfig.defaults(), handlers, new Metered(registry))) {
      engine.jobs().submit(CALLER, TYPE.request(""));
      await().until(() -> new Metered(registry).times("leasehold.attempts.run") == 1);
      var before = registry.getMeters().size();

      for (int i = 0; i < 20; i++) {
        var stranger = SecurityContext.of("user " + i, new TenantId(new UUID(7, i))).build();
        engine.jobs().submit(stranger, TYPE.request("input " + i).key("key " + i));
      }

      await().until(() -> new Metered(registry).times("leasehold.attempts.run") == 21);
      assertThat(registry.getMeters()).hasSize(before);
    }
  }
}
