package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.db.Transactions;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of {@code docs/guide/dependencies.md}: runs of a configuration share its build. */
class BuildsAndRunsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration SOON = Duration.ofSeconds(60);

  record Configuration(String compiler, String options) {
    String digest() {
      return compiler + " " + options;
    }
  }

  record Image(String name) {}

  record Scenario(JobId build, String script) {}

  private static final JobType<Configuration, Image> BUILD =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.lab.images.build.v1",
              Configuration.class,
              Image.class)
          .queue("builds");

  private static final JobType<Scenario, String> RUN =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.lab.images.run.v1", Scenario.class, String.class)
          .queue("runs")
          .timeout(Duration.ofSeconds(2));

  private final CountDownLatch builder = new CountDownLatch(1);
  private final List<String> built = new CopyOnWriteArrayList<>();
  private final RunningEngine engine =
      RunningEngine.on(
          database,
          EngineConfig.defaults().cancelGrace(Duration.ofMillis(50)),
          new Handlers().with(BUILD, this::build).with(RUN, this::run));
  private final JobService jobs = engine.jobs();
  private final Transactions transactions = engine.transactions();
  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();

  @AfterEach
  void stop() {
    builder.countDown();
    engine.close();
  }

  private Image build(JobContext job, Configuration configuration) throws InterruptedException {
    builder.await();
    built.add(configuration.digest());
    if (configuration.compiler().isEmpty()) {
      throw new IllegalStateException("no compiler");
    }
    return new Image("image of " + configuration.digest());
  }

  private String run(JobContext job, Scenario scenario) throws InterruptedException {
    var image =
        switch (jobs.result(job.caller(), scenario.build(), Image.class)) {
          case JobResult.Succeeded<Image>(Image built) -> built;
          case JobResult<Image> other -> throw new IllegalStateException("no image: " + other);
        };
    job.event("log", Map.of("line", "starts " + image.name()));
    if (scenario.script().equals("endless")) {
      new CountDownLatch(1).await();
    }
    return scenario.script() + " on " + image.name();
  }

  private JobId submit(Configuration configuration, String script) {
    return transactions.asTenant(
        caller,
        tx -> {
          var build =
              jobs.submit(
                      tx,
                      BUILD
                          .request(configuration)
                          .key(configuration.digest())
                          .reuse(Duration.ofDays(7)))
                  .jobId();
          return jobs.submit(tx, RUN.request(new Scenario(build, script)).after(build)).jobId();
        });
  }

  private Job end(JobId id) {
    return jobs.await(caller, id, SOON).orElseThrow();
  }

  @Test
  void runsOfAConfigurationShareItsBuild() {
    var configuration = new Configuration("gcc", "-O2");
    var runs = Stream.of("one", "two", "three").map(it -> submit(configuration, it)).toList();
    assertThat(runs).allMatch(id -> jobs.find(caller, id).orElseThrow().attempts() == 0);
    builder.countDown();

    assertThat(runs).allMatch(id -> end(id).status() == JobStatus.SUCCEEDED);
    assertThat(end(submit(configuration, "four")).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(built).containsExactly(configuration.digest());
    assertThat(jobs.result(caller, runs.getLast(), String.class))
        .isEqualTo(new JobResult.Succeeded<>("three on image of gcc -O2"));
  }

  @Test
  void aFailedBuildFailsItsRuns() {
    var run = submit(new Configuration("", "-O2"), "one");
    var build = onlyDependency(run);
    builder.countDown();

    assertThat(end(run).lastError().orElseThrow())
        .isEqualTo(
            "job "
                + build
                + " (gts.x.core.jobs.handler.v1~acme.lab.images.build.v1) failed: "
                + "java.lang.IllegalStateException: no compiler");

    // The failed build lost its key, so the next request gets a new build.
    assertThat(onlyDependency(submit(new Configuration("", "-O2"), "two"))).isNotEqualTo(build);
  }

  private JobId onlyDependency(JobId run) {
    var page = jobs.dependencies(caller, run, Optional.empty(), 10).orElseThrow();
    return page.jobs().getFirst().job();
  }

  @Test
  void aRunIsEndedWhenItTakesTooLong() {
    builder.countDown();
    var run = submit(new Configuration("gcc", "-O3"), "endless");

    assertThat(end(run).status()).isEqualTo(JobStatus.TIMED_OUT);
    assertThat(
            jobs.events(caller, run, EventCursor.BEGIN, 100).orElseThrow().events().stream()
                .map(event -> event.kind()))
        .containsExactly("queued", "started", "log", "timed_out");
  }
}
