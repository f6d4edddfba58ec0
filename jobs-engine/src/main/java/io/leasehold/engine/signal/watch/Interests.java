package io.leasehold.engine.signal.watch;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The jobs that other processes watch, by hash. An entry lasts as long as a process keeps
 * announcing it. For jobs beyond {@code most}, other processes learn of changes later, by polling.
 * Safe to share between threads.
 */
final class Interests {

  /** Announcements come every ten seconds, so two of them may be lost. */
  private static final Duration LASTING = Duration.ofSeconds(30);

  private final int most;
  private final Map<Long, Long> untilByJob = new ConcurrentHashMap<>();

  Interests(int most) {
    this.most = most;
  }

  boolean isEmpty() {
    return untilByJob.isEmpty();
  }

  void note(Collection<Long> jobs, long now) {
    var until = now + LASTING.toNanos();
    for (var job : jobs) {
      if (untilByJob.size() < most || untilByJob.containsKey(job)) {
        untilByJob.put(job, until);
      }
    }
  }

  boolean has(long job, long now) {
    var until = untilByJob.get(job);
    return until != null && until - now > 0;
  }

  /** Removes jobs that no process has announced for a while. */
  void forgetOld(long now) {
    untilByJob.values().removeIf(until -> until - now <= 0);
  }
}
