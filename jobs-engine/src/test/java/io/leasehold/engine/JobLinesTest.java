package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the engine's own threads log about a job, at every level. */
class JobLinesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final String CANARY = "canary";
  private static final TenantId TENANT = new TenantId(new UUID(1, 1));
  private static final SecurityContext CALLER =
      SecurityContext.of("ann", TENANT).correlationId("request 7").build();
  private static final JobType<String, String> TYPE = Handlers.type("logged");

  @RegisterExtension final LogLines lines = new LogLines();

  private List<ILoggingEvent> lines(String message) {
    return lines.all().filter(line -> line.getMessage().startsWith(message)).toList();
  }

  private static Map<String, String> context(ILoggingEvent line) {
    return Objects.requireNonNull(line.getKeyValuePairs()).stream()
        .collect(Collectors.toMap(pair -> pair.key, pair -> String.valueOf(pair.value)));
  }

  private void assertAbout(JobId id, String message) {
    await().until(() -> !lines(message).isEmpty());
    assertThat(context(lines(message).getFirst()))
        .isEqualTo(
            Map.of(
                "job", id.toString(),
                "handler", TYPE.handler().value(),
                "tenant", TENANT.toString(),
                "attempt", "1",
                "correlation", "request 7"));
  }

  private void assertNoCanary() {
    var all = lines.all().map(LogLines::text).collect(Collectors.joining("\n"));
    assertThat(all).isNotEmpty().doesNotContain(CANARY);
  }

  @Test
  void lostLeaseIsLoggedWithItsJob() throws Exception {
    var goOn = new CountDownLatch(1);
    var began = new CountDownLatch(1);
    var handlers =
        new Handlers()
            .with(
                TYPE,
                (job, input) -> {
                  began.countDown();
                  goOn.await();
                  return CANARY;
                });
    try (var engine = RunningEngine.on(database, EngineConfig.defaults(), handlers)) {
      var id = engine.jobs().submit(CALLER, TYPE.request(CANARY)).jobId();
      began.await();
      execute("DELETE FROM leasehold.lease");
      goOn.countDown();

      assertAbout(id, "the lease of a job was lost");
      assertNoCanary();
    }
  }

  @Test
  void endThatCannotBeStoredIsLoggedWithItsJob() throws SQLException {
    execute("ALTER TABLE leasehold.outcome ADD CONSTRAINT none CHECK (result IS NULL) NOT VALID");
    var handlers = new Handlers().with(TYPE, (job, input) -> CANARY);
    try (var engine = RunningEngine.on(database, EngineConfig.defaults(), handlers)) {
      var id = engine.jobs().submit(CALLER, TYPE.request(CANARY)).jobId();

      assertAbout(id, "the end of a job cannot be stored");
      assertNoCanary();
    } finally {
      execute("ALTER TABLE leasehold.outcome DROP CONSTRAINT none");
    }
  }

  @Test
  void handlerThatIgnoresItsInterruptIsLogged() {
    var released = new CountDownLatch(1);
    var handlers =
        new Handlers()
            .with(
                TYPE,
                (job, input) -> {
                  while (released.getCount() > 0) {
                    Thread.onSpinWait();
                  }
                  return CANARY;
                });
    try (var engine = RunningEngine.on(database, EngineConfig.defaults(), handlers)) {
      var request = TYPE.request(CANARY).timeout(Duration.ofMillis(100));
      var id = engine.jobs().submit(CALLER, request).jobId();

      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> !lines("the handler of a job ignores").isEmpty());
      assertAbout(id, "the handler of a job ignores");
      released.countDown();
      assertNoCanary();
    }
  }

  @Test
  void callbackFailureIsLoggedWithItsPlaceAndWithoutItsMessage() {
    var handlers = new Handlers().with(TYPE, new Talkative());
    try (var engine = RunningEngine.on(database, EngineConfig.defaults(), handlers)) {
      engine.jobs().submit(CALLER, TYPE.request("succeeds"));
      engine.jobs().submit(CALLER, TYPE.request("fails"));

      await().until(() -> callbacks().size() == 2);
      assertThat(callbacks())
          .allMatch(line -> line.contains("java.lang.IllegalStateException"))
          .allMatch(line -> line.contains("caused by java.lang.IllegalArgumentException"))
          .allMatch(line -> line.contains("JobLinesTest"));
      assertNoCanary();
    }
  }

  private List<String> callbacks() {
    return lines("{} of job {} failed").stream().map(LogLines::text).toList();
  }

  /** Says what its tenant says, wherever it fails. */
  private static final class Talkative implements JobHandler<String, String> {

    @Override
    public String run(JobContext job, String input) {
      if (input.equals("fails")) {
        throw failure();
      }
      return CANARY;
    }

    @Override
    public void onSuccess(JobContext job, String input, String output) {
      throw failure();
    }

    @Override
    public void onFailure(JobContext job, String input, Throwable failure) {
      throw failure();
    }

    private static IllegalStateException failure() {
      return new IllegalStateException(CANARY, new IllegalArgumentException(CANARY));
    }
  }

  private static void execute(String sql) throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
