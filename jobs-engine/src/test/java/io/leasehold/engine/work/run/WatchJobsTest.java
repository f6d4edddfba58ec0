package io.leasehold.engine.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.StopReason;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When running jobs are told to stop, and their threads interrupted. */
class WatchJobsTest {

  private static final Duration LEASE = Duration.ofMinutes(10);

  private final Terms terms =
      new Terms(Map.of(), OptionalInt.empty(), LEASE, Duration.ofSeconds(1), Duration.ofHours(1));
  private final RunningJobs held = new RunningJobs();
  private final WatchJobs watch = new WatchJobs(held, terms.margin(), terms.cancelGrace(), _ -> {});

  private RunningJob hold(long token, Duration left) {
    var now = System.nanoTime();
    var claimed = LeasesTest.claimed(new JobId(new UUID(token, 1)), token);
    var job = new RunningJob(claimed, now, now + left.toNanos());
    held.add(job);
    return job;
  }

  @AfterEach
  void isNotInterrupted() {
    Thread.interrupted();
  }

  @Test
  void aJobIsStoppedATenthOfItsLeaseBeforeItMayExpire() {
    var soon = hold(1, Duration.ofSeconds(59));
    var later = hold(2, Duration.ofMinutes(5));

    watch.look();

    assertThat(soon.stopped()).contains(StopReason.LOST);
    assertThat(later.stopped()).isEmpty();
  }

  @Test
  void aCancelledJobIsNotInterruptedDuringItsGrace() {
    var job = hold(1, LEASE);
    job.begin(System.nanoTime());
    job.stop(StopReason.CANCELLED, System.nanoTime());

    watch.look();

    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void aCancelledJobIsInterruptedAfterItsGrace() {
    var job = hold(1, LEASE);
    job.begin(System.nanoTime());
    job.stop(StopReason.CANCELLED, System.nanoTime() - terms.cancelGrace().toNanos());

    watch.look();

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aJobWhoseLeaseIsLostIsInterruptedAtOnce() {
    var job = hold(1, LEASE);
    job.begin(System.nanoTime());
    job.stop(StopReason.LOST, System.nanoTime());

    watch.look();

    assertThat(Thread.interrupted()).isTrue();
  }

  /** So that two renewals may fail. */
  @Test
  void leasesAreRenewedAfterAThirdOfTheirTime() {
    assertThat(terms.renewEvery()).isEqualTo(LEASE.dividedBy(3));
  }
}
