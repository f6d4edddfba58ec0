package io.leasehold.engine;

import static io.leasehold.engine.Works.CALLER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.JobEvent;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A job that runs is removed: until it is gone, it has failed with the error {@code cancelled}. */
class ForceDeleteTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final JobType<String, String> STORED = Handlers.type("stored");
  private static final JobType<String, String> IN_MEMORY =
      JobType.inMemory(
          "gts.x.core.jobs.handler.v1~acme.tests.engine.remembered.v1", String.class, String.class);

  // Maintenance, in another process that is not started yet, follows the requests to delete.
  private static final EngineConfig WORKER =
      EngineConfig.defaults()
          .roles(Set.of(EngineConfig.Role.WORKER))
          .cancelGrace(Duration.ofMillis(200));

  private final List<String> said = new CopyOnWriteArrayList<>();
  private final CountDownLatch gate = new CountDownLatch(1);
  private final RunningEngine engine =
      RunningEngine.on(
          database,
          WORKER,
          new Handlers().with(STORED, new Waiting()).with(IN_MEMORY, new Waiting()));

  enum Kind {
    STORED,
    IN_MEMORY;

    private JobType<String, String> type() {
      return this == STORED ? ForceDeleteTest.STORED : ForceDeleteTest.IN_MEMORY;
    }
  }

  /** Waits, and ends well or badly when it is told to stop. */
  private final class Waiting implements JobHandler<String, String> {

    @Override
    public String run(JobContext job, String input) throws Exception {
      said.add("begins");
      try {
        gate.await();
        return "done";
      } catch (InterruptedException e) {
        said.add("stops gracefully: " + job.isCancelled());
        if (input.equals("returns")) {
          return "all the same";
        }
        throw e;
      }
    }

    @Override
    public void onFailure(JobContext job, String input, Throwable failure) {
      said.add("was told of a failure");
    }
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  private JobId running(JobType<String, String> type) {
    return running(type, "");
  }

  private JobId running(JobType<String, String> type, String input) {
    var id = engine.jobs().submit(CALLER, type.request(input)).jobId();
    await().until(() -> said.contains("begins"));
    return id;
  }

  private Job find(JobId id) {
    return engine.jobs().find(CALLER, id).orElseThrow();
  }

  private List<String> history(JobId id) {
    return engine.jobs().events(CALLER, id, EventCursor.BEGIN, 100).orElseThrow().events().stream()
        .map((JobEvent event) -> event.kind() + " " + event.body())
        .toList();
  }

  @Test
  void forceDeletedJobIsFailedUntilItIsRemoved() {
    var id = running(STORED);

    assertThat(engine.jobs().forceDelete(CALLER, id)).isInstanceOf(Deletion.Requested.class);

    await().until(() -> find(id).status().isFinal());
    assertThat(find(id).status()).isEqualTo(JobStatus.FAILED);
    assertThat(find(id).lastError()).contains("cancelled");
    assertThat(history(id).getLast()).matches("failed \\{\"error\" ?: ?\"cancelled\"}");
    assertThat(history(id)).contains("cancel_requested {}");
    assertThat(said).containsExactly("begins", "stops gracefully: true");
  }

  @Test
  void forceDeletedJobIsRemovedByMaintenance() {
    var id = running(STORED);
    engine.jobs().forceDelete(CALLER, id);
    await().until(() -> find(id).status().isFinal());

    var maintenance = EngineConfig.defaults().roles(Set.of(EngineConfig.Role.MAINTENANCE));
    try (var _ = RunningEngine.on(database, maintenance)) {
      await().atMost(Duration.ofSeconds(30)).until(() -> engine.jobs().find(CALLER, id).isEmpty());
    }
  }

  @Test
  void forceDeletedJobIsNoDeadLetter() {
    var id = running(IN_MEMORY);

    engine.jobs().forceDelete(CALLER, id);

    await().until(() -> engine.jobs().find(CALLER, id).isEmpty());
    assertThat(said).containsExactly("begins", "stops gracefully: true");
  }

  @Test
  void forceDeletedInMemoryJobIsSeenFailedBeforeItsRemoval() throws InterruptedException {
    var id = running(IN_MEMORY);
    var seen = new CopyOnWriteArrayList<String>();
    var reader =
        Thread.ofVirtual()
            .start(
                () -> {
                  var job = engine.jobs().find(CALLER, id);
                  while (job.isPresent()) {
                    if (job.get().status().isFinal()) {
                      seen.add(job.get().status() + " " + job.get().lastError().orElse(""));
                    }
                    job = engine.jobs().find(CALLER, id);
                  }
                });

    engine.jobs().forceDelete(CALLER, id);

    reader.join();
    assertThat(seen).allMatch("FAILED cancelled"::equals);
  }

  @ParameterizedTest
  @EnumSource
  void plainCancelEndsAsCancelled(Kind kind) {
    var id = running(kind.type());

    engine.jobs().cancel(CALLER, id);

    await().until(() -> find(id).status() == JobStatus.CANCELLED);
  }

  @Test
  void jobSucceedsIfItsHandlerReturnsInSpiteOfTheForceDelete() {
    var id = running(STORED, "returns");

    engine.jobs().forceDelete(CALLER, id);

    await().until(() -> find(id).status().isFinal());
    assertThat(find(id).status()).isEqualTo(JobStatus.SUCCEEDED);
  }
}
