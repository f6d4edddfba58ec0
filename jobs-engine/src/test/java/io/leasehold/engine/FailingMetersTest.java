package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.cumulative.CumulativeCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A registry of meters that fails keeps no slot. */
class FailingMetersTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final int SLOTS = 2;
  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final JobType<String, String> PLAIN = Handlers.type("plain").queue("same");
  private static final JobType<String, String> IN_TX = Handlers.type("in_tx").queue("same");

  /** Cannot count how attempts ended. */
  private static final class FailingRegistry extends SimpleMeterRegistry {

    @Override
    protected Counter newCounter(Meter.Id id) {
      return id.getName().equals("leasehold.attempts.ended")
          ? new FailingCounter(id)
          : super.newCounter(id);
    }
  }

  private static final class FailingCounter extends CumulativeCounter {

    private FailingCounter(Meter.Id id) {
      super(id);
    }

    @Override
    public void increment(double amount) {
      throw new AssertionError("the registry is broken");
    }
  }

  @Test
  void aSlotIsFreedEvenIfAMeterThrows() {
    var meters = new Metered(new FailingRegistry());
    var handlers =
        new Handlers()
            .with(PLAIN, (job, input) -> input)
            .inTransaction(IN_TX, (tx, job, input) -> input);
    try (var engine =
        RunningEngine.on(database, EngineConfig.defaults().concurrency(SLOTS), handlers, meters)) {
      List<JobRequest<?, ?>> requests = new ArrayList<>();
      for (int i = 0; i < 5 * SLOTS; i++) {
        requests.add(PLAIN.request("" + i));
        requests.add(IN_TX.request("" + i));
      }

      var jobs =
          engine.jobs().submitAll(CALLER, requests.iterator()).stream()
              .map(Submission::jobId)
              .toList();

      // What is thrown on the thread of an attempt is thrown on: it is not for this test to fail.
      await()
          .dontCatchUncaughtExceptions()
          .atMost(Duration.ofSeconds(30))
          .until(() -> jobs.stream().allMatch(id -> hasSucceeded(engine, id)));
      await()
          .dontCatchUncaughtExceptions()
          .untilAsserted(
              () -> assertThat(meters.gauge("leasehold.slots.busy", "queue", "same")).isZero());
    }
  }

  private static boolean hasSucceeded(RunningEngine engine, JobId id) {
    return engine.jobs().find(CALLER, id).orElseThrow().status() == JobStatus.SUCCEEDED;
  }
}
