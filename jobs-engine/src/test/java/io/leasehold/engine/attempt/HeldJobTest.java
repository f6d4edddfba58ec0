package io.leasehold.engine.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.claim.ClaimedJob;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.Stop;
import io.leasehold.jobs.TenantId;
import java.util.Optional;
import java.util.UUID;
import org.jooq.JSON;
import org.junit.jupiter.api.Test;

class HeldJobTest {

  private final HeldJob held =
      HeldJob.inMemory(
          new ClaimedJob(
              new TenantId(new UUID(1, 1)),
              new JobId(new UUID(2, 2)),
              1,
              1,
              1,
              "gts.x.core.jobs.handler.v1~acme.tests.engine.held.v1",
              0,
              JSON.json("1"),
              null,
              Optional.empty(),
              Optional.empty(),
              "ann",
              Optional.empty()),
          0);

  @Test
  void isRemovedThoughItWasCancelledBefore() {
    held.stop(Stop.CANCELLED, 1);
    held.stop(Stop.REMOVED, 2);

    assertThat(held.stopped()).contains(Stop.REMOVED);
  }

  @Test
  void isNotMerelyCancelledOnceItIsToBeRemoved() {
    held.stop(Stop.REMOVED, 1);
    held.stop(Stop.CANCELLED, 2);

    assertThat(held.stopped()).contains(Stop.REMOVED);
  }

  @Test
  void staysWhatItWasToldFirst() {
    held.stop(Stop.TIMED_OUT, 1);
    held.stop(Stop.REMOVED, 2);

    assertThat(held.stopped()).contains(Stop.TIMED_OUT);
  }

  /** Its worker was frozen, and the handler goes on before anybody has looked at it. */
  @Test
  void isLostToItsHandlerAsSoonAsTheLeaseMayBeOver() {
    held.renewed(10);

    assertThat(held.stoppedBy(9)).isEmpty();
    assertThat(held.stoppedBy(10)).contains(Stop.LOST);
    assertThat(held.isLost()).isTrue();
  }

  @Test
  void isLostWhateverItWasTold() {
    held.stop(Stop.REMOVED, 1);
    held.stop(Stop.LOST, 2);

    assertThat(held.isLost()).isTrue();
  }
}
