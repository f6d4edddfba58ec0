package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Work in the transaction that ends its job; the work here is to submit another job. */
class TransactionalHandlerTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final JobType<String, String> FOLLOWING = Handlers.type("following");
  private static final JobType<String, String> LEADING = Handlers.type("leading");
  private static final JobType<String, String> FAILING = Handlers.type("failing");
  private static final JobType<String, String> ROBBED = Handlers.type("robbed");

  private static final CountDownLatch robbed = new CountDownLatch(1);
  private static RunningEngine engine;

  @BeforeAll
  static void start() {
    var handlers =
        new Handlers()
            .with(FOLLOWING, (job, input) -> input)
            .inTransaction(
                LEADING,
                (tx, job, input) ->
                    engine.jobs().submit(tx, FOLLOWING.request(input)).jobId().toString())
            .inTransaction(
                FAILING,
                (tx, job, input) -> {
                  engine.jobs().submit(tx, FOLLOWING.request(input).key(input));
                  throw new IllegalStateException("after the work");
                })
            .inTransaction(
                ROBBED,
                (tx, job, input) -> {
                  engine.jobs().submit(tx, FOLLOWING.request(input).key(input));
                  robbed.await();
                  return input;
                });
    engine = RunningEngine.on(database, EngineConfig.defaults().concurrency(1), handlers);
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @Test
  void takesEffectTogetherWithTheJobsEnd() {
    var id = engine.jobs().submit(CALLER, LEADING.request("on")).jobId();

    assertThat(awaitEnd(id).status()).isEqualTo(JobStatus.SUCCEEDED);
    var result = engine.jobs().result(CALLER, id, String.class);
    var following = ((JobResult.Succeeded<String>) result).output();
    assertThat(awaitEnd(JobId.of(String.valueOf(following))).status())
        .isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void takesNoEffectWhenItFails() {
    var id = engine.jobs().submit(CALLER, FAILING.request("failed")).jobId();

    assertThat(awaitEnd(id).status()).isEqualTo(JobStatus.FAILED);
    assertThat(isSubmitted("failed")).isFalse();
  }

  @Test
  void takesNoEffectWhenTheLeaseIsLost() throws SQLException {
    var id = engine.jobs().submit(CALLER, ROBBED.request("robbed")).jobId();
    await().until(() -> find(id).status() == JobStatus.RUNNING);
    execute("UPDATE leasehold.lease SET worker_id = gen_random_uuid(), token = token + 1");

    robbed.countDown();

    // There is one slot, so that the next job runs when this one is over.
    assertThat(awaitEnd(engine.jobs().submit(CALLER, ROBBED.request("next")).jobId()).status())
        .isEqualTo(JobStatus.SUCCEEDED);
    assertThat(find(id).status()).isEqualTo(JobStatus.RUNNING);
    assertThat(isSubmitted("robbed")).isFalse();
    execute("DELETE FROM leasehold.lease");
  }

  private static boolean isSubmitted(String key) {
    return engine.jobs().submit(CALLER, FOLLOWING.request("").key(key)).repeated();
  }

  private static void execute(String sql) throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Job find(JobId id) {
    return engine.jobs().find(CALLER, id).orElseThrow();
  }

  private static Job awaitEnd(JobId id) {
    await().atMost(Duration.ofSeconds(20)).until(() -> find(id).status().isFinal());
    return find(id);
  }
}
