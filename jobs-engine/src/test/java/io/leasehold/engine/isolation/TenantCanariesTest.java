package io.leasehold.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.HandlerBinder;
import io.leasehold.engine.RunningEngine;
import io.leasehold.jobs.EventCursor;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** Two tenants' jobs run side by side, and each string of theirs tells whose it is. */
class TenantCanariesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final int JOBS = 30;

  private static final JobType<String, String> TYPE =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.tests.canaries.sing.v1", String.class, String.class)
          .queue("canaries")
          .retry(RetryPolicy.exponential(2).first(Duration.ofMillis(10)));

  private static final org.slf4j.Logger log = LoggerFactory.getLogger(TenantCanariesTest.class);

  private final SecurityContext ann = caller("ann");
  private final SecurityContext bob = caller("bob");
  private final Logger logger = (Logger) LoggerFactory.getLogger("io.leasehold");
  private final Lines lines = new Lines();

  private static SecurityContext caller(String name) {
    return SecurityContext.of(name, new TenantId(UUID.randomUUID()))
        .correlationId("request of " + canary(name))
        .build();
  }

  private static String canary(String name) {
    return "canary-of-" + name;
  }

  @BeforeEach
  void listen() {
    logger.setLevel(Level.TRACE);
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void listenNoMore() {
    logger.detachAppender(lines);
    logger.setLevel(null);
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
  void areHeardByTheirOwnTenantOnly() {
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
    assertThat(lines.of(ann)).contains(canary("ann")).doesNotContain(canary("bob"));
    assertThat(lines.of(bob)).contains(canary("bob")).doesNotContain(canary("ann"));
    assertThat(lines.ofNobody()).doesNotContain("canary-of-");
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

  /** Lines of the log, by the tenant that they name. */
  private static final class Lines extends AppenderBase<ILoggingEvent> {

    private final Queue<ILoggingEvent> all = new ConcurrentLinkedQueue<>();

    @Override
    protected void append(ILoggingEvent line) {
      line.prepareForDeferredProcessing();
      all.add(line);
    }

    String of(SecurityContext caller) {
      var tenant = caller.tenant().toString();
      return all.stream()
          .filter(line -> tenant.equals(tenant(line)))
          .map(Lines::text)
          .collect(Collectors.joining("\n"));
    }

    String ofNobody() {
      return all.stream()
          .filter(line -> tenant(line).isEmpty())
          .map(Lines::text)
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

    private static String text(ILoggingEvent line) {
      var thrown = line.getThrowableProxy();
      return line.getFormattedMessage()
          + line.getKeyValuePairs()
          + line.getMDCPropertyMap()
          + (thrown == null ? "" : ThrowableProxyUtil.asString(thrown));
    }
  }
}
