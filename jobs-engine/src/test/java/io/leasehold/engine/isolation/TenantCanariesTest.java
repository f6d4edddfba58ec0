package io.leasehold.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.HandlerBinder;
import io.leasehold.engine.LogLines;
import io.leasehold.engine.RunningEngine;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** Two tenants' jobs run side by side, and each string of theirs tells whose it is. */
class TenantCanariesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  @RegisterExtension final LogLines lines = new LogLines();

  private static final int JOBS = 30;

  private static final JobType<String, String> TYPE =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.tests.canaries.sing.v1", String.class, String.class)
          .queue("canaries")
          .retry(RetryPolicy.exponential(2).first(Duration.ofMillis(10)));

  private static final org.slf4j.Logger log = LoggerFactory.getLogger(TenantCanariesTest.class);

  private final SecurityContext ann = caller("ann");
  private final SecurityContext bob = caller("bob");

  private static SecurityContext caller(String name) {
    return SecurityContext.of(name, new TenantId(UUID.randomUUID()))
        .correlationId("request of " + canary(name))
        .build();
  }

  private static String canary(String name) {
    return "canary-of-" + name;
  }

  // Returns, fails for good, or fails once: by the number behind the canary.
  private static String sing(JobContext job, String song) throws Exception {
    log.info("singing {}", song);
    job.event("log", song);
    job.progress(50, song);
    job.checkpoint(song);
    job.step("step", String.class, () -> song);
    int number = Integer.parseInt(song.substring(song.indexOf('#') + 1));
    if (number % 3 == 0 || (number % 3 == 1 && job.attempt() == 1)) {
      throw new IllegalStateException("failed at " + song);
    }
    return song;
  }

  @Test
  void tenantDataReachesOnlyItsOwnTenant() {
    try (var engine =
        RunningEngine.on(
            database,
            EngineConfig.defaults(),
            binder ->
                HandlerBinder.handlerBinder(binder).handle(TYPE).with(TenantCanariesTest::sing))) {
      var anns = submit(engine.jobs(), ann);
      var bobs = submit(engine.jobs(), bob);
      awaitEnd(engine.jobs(), ann, anns);
      awaitEnd(engine.jobs(), bob, bobs);

      assertThat(read(engine.jobs(), ann, anns))
          .contains(canary("ann"))
          .doesNotContain(canary("bob"));
      assertThat(read(engine.jobs(), bob, bobs))
          .contains(canary("bob"))
          .doesNotContain(canary("ann"));
      assertThat(read(engine.jobs(), bob, anns)).doesNotContain(canary("ann"));
      assertThat(read(engine.jobs(), ann, bobs)).doesNotContain(canary("bob"));
    }
    assertThat(lines(ann.tenant().toString()))
        .contains(canary("ann"))
        .doesNotContain(canary("bob"));
    assertThat(lines(bob.tenant().toString()))
        .contains(canary("bob"))
        .doesNotContain(canary("ann"));
    assertThat(lines("")).doesNotContain("canary-of-");
  }

  private static List<JobId> submit(JobService jobs, SecurityContext caller) {
    var ids = new ArrayList<JobId>();
    for (int i = 0; i < JOBS; i++) {
      var request = TYPE.request(canary(caller.principal()) + " #" + i);
      ids.add(jobs.submit(caller, request.metadata("song", canary(caller.principal()))).jobId());
    }
    return ids;
  }

  private static void awaitEnd(JobService jobs, SecurityContext caller, List<JobId> ids) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                ids.stream()
                    .allMatch(id -> jobs.find(caller, id).orElseThrow().status().isFinal()));
  }

  /** All that a caller can read, of jobs that are its own or another's, and of lists. */
  private static String read(JobService jobs, SecurityContext caller, List<JobId> ids) {
    var all = new StringBuilder();
    all.append(jobs.list(caller, JobFilter.newest()));
    for (var id : ids) {
      all.append(jobs.find(caller, id));
      all.append(jobs.result(caller, id, String.class));
      all.append(jobs.explain(caller, id));
      all.append(jobs.events(caller, id, EventCursor.BEGIN, 100));
    }
    return all.toString();
  }

  /** Lines of the log that name this tenant; "" is for those that name none. */
  private String lines(String tenant) {
    return lines
        .all()
        .filter(line -> tenant.equals(tenant(line)))
        .map(LogLines::text)
        .collect(Collectors.joining("\n"));
  }

  private static String tenant(ILoggingEvent line) {
    var pairs = line.getKeyValuePairs();
    return pairs == null
        ? line.getMDCPropertyMap().getOrDefault("tenant", "")
        : pairs.stream()
            .filter(pair -> pair.key.equals("tenant"))
            .map(pair -> String.valueOf(pair.value))
            .findAny()
            .orElse("");
  }
}
