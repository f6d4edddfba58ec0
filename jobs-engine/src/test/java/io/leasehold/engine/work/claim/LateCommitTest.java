package io.leasehold.engine.work.claim;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.inject.AbstractModule;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.RunningEngine;
import io.leasehold.engine.service.query.StoredJob;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A transaction that submitted ten minutes ago and commits now. Its job comes before all that was
 * submitted since, where claims of the busy queue no longer look.
 *
 * <p>The test does not wait ten minutes: the job has an id of ten minutes ago, in a transaction
 * that is open while thousands of younger ones are claimed. A claim sees no more of a transaction's
 * age than that. It is no submission either, so that no worker is told of it.
 */
class LateCommitTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration MOST = Duration.ofMillis(1_500);
  private static final int YOUNGER = 20_000;
  private static final int CLAIMED = 1_000;
  private static final int CONCURRENCY = 4;
  private static final String QUEUE = "busy";
  private static final TenantId TENANT = new TenantId(new UUID(1, 1));
  private static final SecurityContext CALLER = SecurityContext.of("ann", TENANT).build();
  private final StoredJob old =
      StoredJob.of(TENANT, Instant.now().minus(Duration.ofMinutes(10)))
          .queue(QUEUE)
          .status(JobStatus.QUEUED);

  private final JobType<String, String> type =
      JobType.restartable(old.handlerId(), String.class, String.class).queue(QUEUE);

  private final Map<JobId, Long> startedAt = new ConcurrentHashMap<>();

  private final AbstractModule handlers =
      new AbstractModule() {
        @Override
        protected void configure() {
          handlerBinder(binder())
              .handle(type)
              .with(
                  (job, input) -> {
                    startedAt.put(job.id(), System.nanoTime());
                    LockSupport.parkNanos(2_000_000); // So that the queue stays busy.
                    return input;
                  });
        }
      };

  @Test
  void jobThatCommitsLateStartsSoon() throws Exception {
    var config = EngineConfig.defaults().concurrency(CONCURRENCY);
    try (var late = database.connectAsAdministrator();
        var engine = RunningEngine.on(database, config, handlers)) {
      late.setAutoCommit(false);
      var id = old.in(late);
      var younger = IntStream.range(0, YOUNGER).mapToObj(n -> type.request("x"));
      engine.jobs().submitAll(CALLER, younger.iterator());
      await().until(() -> startedAt.size() > CLAIMED);

      late.commit();
      var committedAt = System.nanoTime();
      await().until(() -> startedAt.containsKey(id));
      var others = startedAt.size();

      assertThat(Duration.ofNanos(startedAt.getOrDefault(id, Long.MAX_VALUE) - committedAt))
          .isLessThanOrEqualTo(MOST);
      assertThat(others).as("the queue is busy until then").isLessThan(YOUNGER);
    }
  }
}
