package io.leasehold.engine.work.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.service.query.OpenService;
import io.leasehold.engine.work.handlers.HandlerRegistry;
import io.leasehold.jobs.JobId;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DirectRunsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final JobId JOB = new JobId(new UUID(1, 1));
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void giveASlotBackAlsoIfItsLeaseCannotBe() {
    var service = OpenService.on(database, EngineConfig.defaults());
    var slots = Slots.shared(1, (_, _) -> {});
    var stopped = stopped(service, slots);
    assertThat(slots.reserve()).isTrue();
    service.close();

    assertThatIllegalStateException()
        .isThrownBy(() -> stopped.start(LeasesTest.claimed(JOB, 1), System.nanoTime()));

    assertThat(slots.areAllFree()).isTrue();
  }

  private static DirectRuns stopped(OpenService service, Slots slots) {
    var worker = WorkerId.random();
    return new DirectRuns(
        worker,
        new Terms(Map.of(), OptionalInt.of(1), SECOND, SECOND, SECOND),
        new HandlerRegistry(List.of()),
        Optional.of(slots),
        LeasesTest.leases(service, worker, SECOND));
  }
}
