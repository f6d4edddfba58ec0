package io.leasehold.engine.work.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.ClaimedJob.Begun;
import io.leasehold.engine.work.finish.Ending;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.StopReason;
import io.leasehold.jobs.TenantId;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jooq.JSON;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunningJobTest {

  private final RunningJob held = RunningJob.inMemory(job(1, 1), 0);

  private static ClaimedJob job(int attempt, int maxAttempts) {
    return new ClaimedJob(
        new TenantId(new UUID(1, 1)),
        new JobId(new UUID(2, 2)),
        1,
        attempt,
        maxAttempts,
        "gts.x.core.jobs.handler.v1~acme.tests.engine.held.v1",
        0,
        JSON.json("1"),
        null,
        Optional.empty(),
        Optional.empty(),
        "ann",
        Optional.empty());
  }

  @Test
  void removalReplacesAnEarlierCancel() {
    held.stop(StopReason.CANCELLED, 1);
    held.stop(StopReason.REMOVED, 2);

    assertThat(held.stopped()).contains(StopReason.REMOVED);
  }

  @Test
  void cancelDoesNotReplaceARemoval() {
    held.stop(StopReason.REMOVED, 1);
    held.stop(StopReason.CANCELLED, 2);

    assertThat(held.stopped()).contains(StopReason.REMOVED);
  }

  @Test
  void keepsItsFirstStopReason() {
    held.stop(StopReason.TIMED_OUT, 1);
    held.stop(StopReason.REMOVED, 2);

    assertThat(held.stopped()).contains(StopReason.TIMED_OUT);
  }

  /** Its worker was frozen, and the handler goes on before anybody has looked at it. */
  @Test
  void isLostOnceTheLeaseMayHaveExpired() {
    held.renewed(10);

    assertThat(held.stoppedBy(9)).isEmpty();
    assertThat(held.stoppedBy(10)).contains(StopReason.LOST);
    assertThat(held.isLost()).isTrue();
  }

  /** The next worker has to end a run that an earlier worker began. */
  @ParameterizedTest
  @EnumSource(StopReason.class)
  void startsInSpiteOfAStopIfItWasAdopted(StopReason why) {
    var adopted = RunningJob.inMemory(held.job().adopted(new Begun(1, Duration.ofSeconds(1))), 0);
    adopted.stop(why, 1);
    held.stop(why, 1);

    assertThat(adopted.begin(2)).isEqualTo(!why.goesOnElsewhere());
    assertThat(held.begin(2)).isFalse();
  }

  /** The next rescue fails the job instead. */
  @Test
  void isNotReleasedAfterNineLostAttemptsBeyondItsLast() {
    assertThat(RunningJob.inMemory(job(3 + 8, 3), 0).mayGoOnElsewhere()).isTrue();
    assertThat(RunningJob.inMemory(job(3 + 9, 3), 0).mayGoOnElsewhere()).isFalse();
  }

  @Test
  void isLostWhateverItsStopReason() {
    held.stop(StopReason.REMOVED, 1);
    held.stop(StopReason.LOST, 2);

    assertThat(held.isLost()).isTrue();
  }

  /** Its interceptors may fail it yet, in the time that the handler had to be told. */
  @Test
  void isUndecidedAgainAfterItsCallback() {
    var success =
        new Ending.Last(
            held.job().id(), held.job().token(), JobStatus.SUCCEEDED, null, Optional.empty());
    held.begin(1);

    held.beginToTell(success, 1);
    assertThat(held.decided()).contains(success);
    held.told();

    assertThat(held.decided()).isEmpty();
    assertThat(held.remaining(1)).contains(Duration.ofSeconds(30));
  }
}
