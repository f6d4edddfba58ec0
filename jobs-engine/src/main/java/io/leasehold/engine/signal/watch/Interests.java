package io.leasehold.engine.signal.watch;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which jobs other processes watch, by their hashes: each as long as they go on to say so. Of more
 * than are kept here the others are told late, by their own looks. Safe to share between threads.
 */
final class Interests {

  /** Of what was said every ten seconds, two may be lost. */
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

  /** Forgets what nobody said for a while. */
  void forgetOld(long now) {
    untilByJob.values().removeIf(until -> until - now <= 0);
  }
}
