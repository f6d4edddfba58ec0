package io.leasehold.engine;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.EngineConfig.Mode;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stored jobs that only SQL can have written fail alone, and keep no slot. */
class UndecodableJobsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final int SLOTS = 4;
  private static final int BAD = 5 * SLOTS;

  private static final SecurityContext VANDAL = caller();
  private static final SecurityContext VICTIM = caller();
  private static final JobType<String, String> ECHO =
      Handlers.type("echo").retry(RetryPolicy.exponential(3).first(Duration.ofMillis(1)));

  private static SecurityContext caller() {
    return SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();
  }

  /** What SQL makes of a job, and what its owner reads afterwards. */
  private enum Vandalism {
    NO_PRINCIPAL("principal = ''", "the principal cannot be used: principal must not be blank"),
    BLANK_PRINCIPAL("principal = E' \\t'", "principal must not be blank"),
    METADATA_THAT_IS_A_LIST("metadata = '[]'", "the metadata cannot be read"),
    METADATA_THAT_ARE_A_TEXT("metadata = '\"a\"'", "the metadata cannot be read"),
    DEEP_METADATA(
        "metadata = ('{\"a\":' || repeat('[', 5000) || repeat(']', 5000) || '}')::json",
        "the metadata cannot be read"),
    INPUT_OF_ANOTHER_TYPE("input = '{\"a\": 1}'", "the input cannot be read as java.lang.String"),
    DEEP_INPUT("input = (repeat('[', 5000) || repeat(']', 5000))::json", "the input cannot");

    private final String change;
    private final String error;

    Vandalism(String change, String error) {
      this.change = change;
      this.error = error;
    }
  }

  @ParameterizedTest
  @EnumSource(value = Mode.class, names = "INLINE", mode = EnumSource.Mode.EXCLUDE)
  void anUndecodableJobFailsAloneAndFreesItsSlot(Mode mode) {
    var meters = new Metered();
    var config =
        EngineConfig.defaults()
            .mode(mode)
            .concurrency(SLOTS)
            .directConcurrency(SLOTS)
            .pollEvery(Duration.ofMillis(100));
    try (var engine =
        RunningEngine.on(
            database, config, new Handlers().with(ECHO, (job, input) -> input), meters)) {
      var bad = new EnumMap<Vandalism, List<JobId>>(Vandalism.class);
      for (var vandalism : Vandalism.values()) {
        bad.put(vandalism, stored(engine, vandalism));
      }

      release(engine);

      bad.forEach(
          (vandalism, jobs) ->
              jobs.forEach(id -> assertFailedOnce(end(engine, VANDAL, id), vandalism.error)));
      var ordinary = engine.jobs().submit(VICTIM, ECHO.request("hello")).jobId();
      assertThat(end(engine, VICTIM, ordinary).status()).isEqualTo(JobStatus.SUCCEEDED);
      await()
          .untilAsserted(
              () -> assertThat(meters.gauge("leasehold.slots.busy", "queue", "echo")).isZero());
      assertThat(Works.ask(database, "SELECT count(*) FROM leasehold.lease")).isEqualTo("0");
    }
  }

  private static void assertFailedOnce(Job job, String error) {
    assertThat(job.status()).isEqualTo(JobStatus.FAILED);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.lastError().orElseThrow()).contains(error);
  }

  private static List<JobId> stored(RunningEngine engine, Vandalism vandalism) {
    JobRequest<String, String> request = ECHO.request("fine").delay(Duration.ofHours(1));
    var jobs =
        engine.jobs().submitAll(VANDAL, Collections.nCopies(BAD, request).iterator()).stream()
            .map(Submission::jobId)
            .toList();
    var ids = jobs.stream().map(JobId::toString).collect(joining(",", "{", "}"));
    Works.ask(
        database,
        "UPDATE leasehold.job SET %s WHERE id = ANY ('%s')".formatted(vandalism.change, ids));
    return jobs;
  }

  // All at once, when all of them are as they should not be.
  private static void release(RunningEngine engine) {
    Works.ask(database, "UPDATE leasehold.scheduled SET available_at = now()");
    engine.jobs().submit(VICTIM, ECHO.request("a look at what is due").delay(Duration.ofMillis(1)));
  }

  /** Rules of the table would only keep the test from what it is about. */
  @BeforeAll
  static void dropRules() {
    Works.ask(
        database,
        """
        DO $$
        DECLARE rule record;
        BEGIN
          FOR rule IN SELECT conname FROM pg_constraint
            WHERE conrelid = 'leasehold.job'::regclass AND contype = 'c'
          LOOP
            EXECUTE format('ALTER TABLE leasehold.job DROP CONSTRAINT %I', rule.conname);
          END LOOP;
        END $$\
        """);
  }

  private static Job end(RunningEngine engine, SecurityContext caller, JobId id) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> engine.jobs().find(caller, id).orElseThrow().status().isFinal());
    return engine.jobs().find(caller, id).orElseThrow();
  }
}
