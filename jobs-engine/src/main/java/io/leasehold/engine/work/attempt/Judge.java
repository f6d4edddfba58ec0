package io.leasehold.engine.work.attempt;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.ErrorText;
import io.leasehold.engine.work.finish.Ending;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.RetryLater;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.StopReason;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Decides what happens to a job whose handler did not return normally. Thread-safe. */
public final class Judge {

  private static final Duration MOST = Duration.ofDays(3_650);
  private static final String WENT_ON = "the handler ignored its interrupt";

  private final RandomGenerator random;
  private final PutBacks putBacks;

  @Inject
  Judge(RandomGenerator random) {
    this.random = random;
    this.putBacks = new PutBacks(random);
  }

  /**
   * Returns the ending of the attempt, or empty if this worker must not write one.
   *
   * @param failure what the handler threw
   * @param stopped why the handler was told to stop before it threw
   */
  public Optional<Ending> judge(
      RunningJob held, RetryPolicy policy, Throwable failure, Optional<StopReason> stopped) {
    return judge(held, policy, failure, () -> TimeOutText.of(held.limit(), failure), stopped);
  }

  private Optional<Ending> judge(
      RunningJob held,
      RetryPolicy policy,
      Throwable failure,
      Supplier<String> timedOut,
      Optional<StopReason> stopped) {
    var job = held.job();
    return switch (stopped.orElse(null)) {
      case LOST, RELEASED -> Optional.empty();
      case CANCELLED -> Optional.of(last(job, JobStatus.CANCELLED, ErrorText.of(failure)));
      case REMOVED -> Optional.of(new Ending.Removed(job.id(), job.token()));
      case TIMED_OUT ->
          Optional.of(failed(job, policy, JobStatus.TIMED_OUT, failure, timedOut.get()));
      case null -> Optional.of(unstopped(job, policy, failure));
    };
  }

  private Ending unstopped(ClaimedJob job, RetryPolicy policy, Throwable failure) {
    return later(job, failure)
        .<Ending>map(delay -> new Ending.Later(job.id(), job.token(), delay))
        .orElseGet(() -> failed(job, policy, JobStatus.FAILED, failure, ErrorText.of(failure)));
  }

  /** Returns the ending of an attempt whose handler does not return. */
  public Optional<Ending> abandoned(RunningJob held, RetryPolicy policy) {
    var failure = new TimeoutException(WENT_ON);
    return held.decided()
        .or(
            () ->
                judge(
                    held,
                    policy,
                    failure,
                    () -> TimeOutText.of(held.limit(), WENT_ON),
                    held.stopped()));
  }

  /** Whether this ending fails the job for good. */
  static boolean isForGood(Ending ending) {
    return ending instanceof Ending.Last last && last.status() != JobStatus.CANCELLED;
  }

  // A database failure is no fault of the job, and does not count as an attempt.
  private Optional<Duration> later(ClaimedJob job, Throwable failure) {
    return failure instanceof RetryLater asked
        ? Optional.of(asked.delay())
        : putBacks.delay(job.id(), failure);
  }

  private Ending failed(
      ClaimedJob job, RetryPolicy policy, JobStatus status, Throwable failure, String error) {
    if (failure instanceof PermanentFailure || job.attempt() >= job.maxAttempts()) {
      return last(job, status, error);
    }
    try {
      if (!policy.isWorthAnother(failure)) {
        return last(job, status, error);
      }
      var delay = bounded(policy.delayAfter(job.attempt(), random));
      return new Ending.Again(job.id(), job.token(), status, error, delay);
    } catch (Throwable e) { // Attempt boundary: the retry policy is user code, like the handler.
      var both = error + "; and its retry policy threw " + ErrorText.of(e);
      return last(job, status, both);
    }
  }

  private static Duration bounded(Duration delay) {
    return delay.isNegative() ? Duration.ZERO : delay.compareTo(MOST) > 0 ? MOST : delay;
  }

  private static Ending last(ClaimedJob job, JobStatus status, String error) {
    return new Ending.Last(job.id(), job.token(), status, null, Optional.of(error));
  }
}
