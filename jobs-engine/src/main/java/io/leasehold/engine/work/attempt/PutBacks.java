package io.leasehold.engine.work.attempt;

import io.leasehold.engine.kernel.ErrorText;
import io.leasehold.engine.threads.Pauses;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.PermanentFailure;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Decides which failures of an attempt are the database's. Such a job is put back without counting
 * an attempt, each time with a longer delay. Counts per process. Thread-safe.
 */
final class PutBacks {

  private static final Duration FIRST = Duration.ofMillis(500);

  /** Short enough that jobs finish within seconds of the database's recovery. */
  private static final Duration MOST = Duration.ofSeconds(4);

  /**
   * The same limit as for lost workers: a job whose work makes the server terminate sessions must
   * not be repeated forever.
   */
  private static final int BREAKS_MAX = 9;

  private static final int JOBS_MAX = 10_000;

  private final RandomGenerator random;

  // Guarded by itself.
  private final Map<JobId, Count> counts =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<JobId, Count> eldest) {
          return size() > JOBS_MAX;
        }
      };

  /**
   * How often a job was put back.
   *
   * @param all for any reason
   * @param breaks because a connection broke during the attempt
   */
  private record Count(int all, int breaks) {}

  PutBacks(RandomGenerator random) {
    this.random = random;
  }

  /** Returns the delay before the job's next try, or empty if the failure counts as an attempt. */
  Optional<Duration> delay(JobId job, Throwable failure) {
    return code(failure).flatMap(code -> delay(job, code));
  }

  private Optional<Duration> delay(JobId job, ErrorCode code) {
    if (code == ErrorCode.POOL_EXHAUSTED) {
      return Optional.of(Duration.ofSeconds(1));
    }
    return code.isOutage()
        ? counted(job, code == ErrorCode.DATABASE_UNREACHABLE)
        : Optional.empty();
  }

  private Optional<Duration> counted(JobId job, boolean isBreak) {
    synchronized (counts) {
      var before = counts.getOrDefault(job, new Count(0, 0));
      if (isBreak && before.breaks() >= BREAKS_MAX) {
        counts.remove(job);
        return Optional.empty();
      }
      counts.put(job, new Count(before.all() + 1, before.breaks() + (isBreak ? 1 : 0)));
      return Optional.of(backoff(before.all()));
    }
  }

  // Shortened by up to a half, so that many jobs do not return together.
  private Duration backoff(int before) {
    var longest = Math.min(MOST.toMillis(), FIRST.toMillis() << Math.min(before, 10));
    return Pauses.shortened(Duration.ofMillis(longest), 0.5, random);
  }

  // A handler may have wrapped the failure. If it declared it permanent, that decision counts.
  private static Optional<ErrorCode> code(Throwable failure) {
    for (var cause : ErrorText.withCauses(failure)) {
      if (cause instanceof PermanentFailure) {
        return Optional.empty();
      }
      if (cause instanceof JobsException e) {
        return Optional.of(e.code());
      }
    }
    return Optional.empty();
  }
}
