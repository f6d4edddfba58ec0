package io.leasehold.engine.work.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.work.finish.Ending;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.TenantId;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.jooq.JSON;
import org.junit.jupiter.api.Test;

class JudgeTest {

  private static final int ATTEMPTS_MAX = 3;

  /** Shortens no wait by more than a millisecond. */
  private final Judge judge = new Judge(() -> 0L);

  /** Waits as it is told after each attempt. */
  private record Policy(IntFunction<Duration> delay) implements RetryPolicy {

    @Override
    public int maxAttempts() {
      return ATTEMPTS_MAX;
    }

    @Override
    public Duration delayAfter(int attempt, RandomGenerator random) {
      return delay.apply(attempt);
    }
  }

  @Test
  void aJobIsRetriedUpToItsLastAttempt() {
    assertThat(judged(ATTEMPTS_MAX - 1, JudgeTest::atOnce)).isInstanceOf(Ending.Again.class);
    assertThat(judged(ATTEMPTS_MAX, JudgeTest::atOnce)).isInstanceOf(Ending.Last.class);
  }

  @Test
  void theRetryPolicyIsAskedForTheDelayAfterTheAttemptThatFailed() {
    assertThat(delay(judged(2, Duration::ofSeconds))).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void aRetryWaitsForTenYearsAtMost() {
    assertThat(delay(judged(1, _ -> Duration.ofDays(3_650)))).isEqualTo(Duration.ofDays(3_650));
    assertThat(delay(judged(1, _ -> Duration.ofDays(3_651)))).isEqualTo(Duration.ofDays(3_650));
  }

  @Test
  void aRetryWithANegativeDelayIsDueAtOnce() {
    assertThat(delay(judged(1, _ -> Duration.ofSeconds(-1)))).isZero();
  }

  @Test
  void aJobWaitsTwiceAsLongAfterEachOutageUpToFourSeconds() {
    var outage = new JobsException(ErrorCode.DATABASE_FULL, "as if");

    for (var millis : new int[] {500, 1_000, 2_000, 4_000, 4_000, 4_000}) {
      assertThat(delay(judged(1, JudgeTest::atOnce, outage))).isEqualTo(Duration.ofMillis(millis));
    }
  }

  /** The job may be what breaks them. */
  @Test
  void theTenthBrokenConnectionCountsAsAnAttempt() {
    var broken = new JobsException(ErrorCode.DATABASE_UNREACHABLE, "as if");

    for (var i = 1; i < 10; i++) {
      assertThat(judged(1, JudgeTest::atOnce, broken)).isInstanceOf(Ending.Later.class);
    }
    assertThat(judged(1, JudgeTest::atOnce, broken)).isInstanceOf(Ending.Again.class);
  }

  private Ending judged(int attempt, IntFunction<Duration> delay) {
    return judged(attempt, delay, new IllegalStateException("as if"));
  }

  private Ending judged(int attempt, IntFunction<Duration> delay, Throwable failure) {
    var held = RunningJob.inMemory(job(attempt), 0);
    return judge.judge(held, new Policy(delay), failure, Optional.empty()).orElseThrow();
  }

  private static Duration delay(Ending ending) {
    return switch (ending) {
      case Ending.Again again -> again.delay();
      case Ending.Later later -> later.delay();
      case Ending.Last _, Ending.Removed _ -> throw new AssertionError(ending);
    };
  }

  private static Duration atOnce(int attempt) {
    return Duration.ZERO;
  }

  private static ClaimedJob job(int attempt) {
    return new ClaimedJob(
        new TenantId(new UUID(1, 1)),
        new JobId(new UUID(2, 2)),
        1,
        attempt,
        ATTEMPTS_MAX,
        "gts.x.core.jobs.handler.v1~acme.tests.attempt.judged.v1",
        0,
        JSON.json("1"),
        null,
        Optional.empty(),
        Optional.empty(),
        "ann",
        Optional.empty());
  }
}
