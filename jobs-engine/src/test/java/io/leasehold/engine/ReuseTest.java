package io.leasehold.engine;

import static io.leasehold.engine.Works.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReuseTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int MANY = 8;
  private static final JobType<String, String> BUILD = Handlers.type("build");
  private static final JobType<String, String> FAILING = Handlers.type("failing");
  private static final JobType<String, String> UNHANDLED = Handlers.type("unhandled");

  private final RunningEngine engine =
      RunningEngine.on(
          database,
          EngineConfig.defaults(),
          new Handlers()
              .with(BUILD, (job, input) -> input)
              .with(
                  FAILING,
                  (job, input) -> {
                    throw new IllegalStateException("no compiler");
                  }));
  private final JobService jobs = engine.jobs();
  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();

  @AfterEach
  void stop() {
    engine.close();
  }

  private Submission submit(JobRequest<?, ?> request) {
    return jobs.submit(caller, request);
  }

  private JobId ended(JobRequest<?, ?> request) {
    var id = submit(request).jobId();
    assertThat(jobs.await(caller, id, SOON).orElseThrow().status().isFinal()).isTrue();
    return id;
  }

  @Test
  void reusesAnUnfinishedJob() {
    var first = submit(UNHANDLED.request("x").key("k").reuse());

    assertThat(submit(UNHANDLED.request("y").key("k").reuse()))
        .isEqualTo(new Submission(first.jobId(), true));
    assertThat(first.repeated()).isFalse();
  }

  @Test
  void reusesASucceededJob() {
    var first = ended(BUILD.request("x").key("k"));

    assertThat(submit(BUILD.request("y").key("k").reuse())).isEqualTo(new Submission(first, true));
  }

  @Test
  void replacesAFailedJob() {
    var first = ended(FAILING.request("x").key("k").reuse());

    var second = submit(FAILING.request("x").key("k").reuse());

    assertThat(second.repeated()).isFalse();
    assertThat(second.jobId()).isNotEqualTo(first);
    // A submission without reuse() gets the job that has the key now.
    assertThat(submit(FAILING.request("x").key("k")))
        .isEqualTo(new Submission(second.jobId(), true));
    assertThat(jobs.find(caller, first)).isPresent();
  }

  @Test
  void replacesACancelledJob() {
    var first = submit(UNHANDLED.request("x").key("k")).jobId();
    jobs.cancel(caller, first);

    assertThat(submit(UNHANDLED.request("x").key("k").reuse()).repeated()).isFalse();
  }

  @Test
  void replacesAJobThatIsTooOld() {
    var first = ended(BUILD.request("x").key("k"));

    assertThat(submit(BUILD.request("x").key("k").reuse(Duration.ofHours(1))).jobId())
        .isEqualTo(first);
    assertThat(submit(BUILD.request("x").key("k").reuse(Duration.ZERO)).repeated()).isFalse();
  }

  @Test
  void concurrentRequestsGetOneJob() throws Exception {
    for (int round = 0; round < 20; round++) {
      var key = "k" + round;
      var failed =
          round % 2 == 0 ? List.<JobId>of() : List.of(ended(FAILING.request("x").key(key)));
      var all = atTheSameMoment(FAILING.request("x").key(key).delay(Duration.ofHours(1)).reuse());

      assertThat(all).extracting(Submission::jobId).noneMatch(failed::contains);
      assertThat(all.stream().map(Submission::jobId).distinct()).hasSize(1);
      assertThat(all).filteredOn(it -> !it.repeated()).hasSize(1);
    }
  }

  private List<Submission> atTheSameMoment(JobRequest<?, ?> request) throws Exception {
    var barrier = new CyclicBarrier(MANY);
    try (var threads = Executors.newFixedThreadPool(MANY)) {
      List<Future<Submission>> all = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        all.add(
            threads.submit(
                () -> {
                  barrier.await();
                  return submit(request);
                }));
      }
      var submissions = new ArrayList<Submission>();
      for (var one : all) {
        submissions.add(one.get());
      }
      return submissions;
    }
  }

  /** Both have found the key taken, and neither has looked at whose it is. */
  @Test
  void concurrentReplacementsMakeOneJob() throws Exception {
    ended(FAILING.request("x").key("k"));
    var request = FAILING.request("x").key("k").delay(Duration.ofHours(1)).reuse();
    try (var threads = Executors.newFixedThreadPool(2);
        var holder = database.connectAsAdministrator();
        var key = holder.createStatement()) {
      holder.setAutoCommit(false);
      key.execute("SELECT FROM leasehold.job_key WHERE key = 'k' FOR UPDATE");
      var one = threads.submit(() -> submit(request));
      var other = threads.submit(() -> submit(request));
      await().atMost(SOON).until(() -> waiting().equals("2"));

      holder.rollback();

      assertThat(one.get().jobId()).isEqualTo(other.get().jobId());
      assertThat(List.of(one.get(), other.get())).filteredOn(it -> !it.repeated()).hasSize(1);
    }
  }

  private static String waiting() {
    return ask(
        database,
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            + " AND wait_event_type = 'Lock'");
  }

  @Test
  void worksForManyRequestsAtOnce() {
    var failed = ended(FAILING.request("x").key("b"));
    var kept = submit(FAILING.request("x").key("a").delay(Duration.ofHours(1))).jobId();

    var all =
        jobs.submitAll(
            caller,
            List.of("b", "a", "c", "b").stream()
                .map(key -> FAILING.request("x").key(key).delay(Duration.ofHours(1)).reuse())
                .iterator());

    assertThat(all).extracting(Submission::repeated).containsExactly(false, true, false, true);
    assertThat(all.get(1).jobId()).isEqualTo(kept);
    assertThat(all.get(3).jobId()).isEqualTo(all.get(0).jobId()).isNotEqualTo(failed);
    assertThat(
            ask(
                database,
                "SELECT count(*) FROM leasehold.job_key WHERE id = '%s'".formatted(failed)))
        .isEqualTo("0");
  }

  @Test
  void doesNotReuseAnotherTenantsJob() {
    var first = ended(BUILD.request("x").key("k"));
    var other = SecurityContext.of("bob", new TenantId(UUID.randomUUID())).build();

    var second = jobs.submit(other, BUILD.request("x").key("k").reuse());

    assertThat(second.repeated()).isFalse();
    assertThat(second.jobId()).isNotEqualTo(first);
  }

  @Test
  void requiresAKey() {
    assertThatIllegalArgumentException().isThrownBy(() -> submit(BUILD.request("x").reuse()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BUILD.request("x").reuse(Duration.ofDays(-1)));
  }
}
