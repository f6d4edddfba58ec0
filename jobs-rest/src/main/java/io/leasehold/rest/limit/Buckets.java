package io.leasehold.rest.limit;

import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Token buckets by key. Their number is limited: the least recently used bucket is dropped first.
 * That loses nothing, because such a bucket has long been full. Safe to share between threads.
 *
 * @param <K> the key
 */
final class Buckets<K> {

  private static final int MOST = 10_000;

  private final int perSecond;
  private final int burst;
  private final ReentrantLock lock = new ReentrantLock();

  /** Ordered by last use. Guarded by the lock. */
  private final LinkedHashMap<K, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

  Buckets(int perSecond, int burst) {
    this.perSecond = perSecond;
    this.burst = burst;
  }

  /** Takes a token from the key's bucket, and returns how long to wait if the bucket is empty. */
  Duration take(K key) {
    var probe = of(key).tryConsumeAndReturnRemaining(1);
    return probe.isConsumed() ? Duration.ZERO : Duration.ofNanos(probe.getNanosToWaitForRefill());
  }

  int count() {
    lock.lock();
    try {
      return buckets.size();
    } finally {
      lock.unlock();
    }
  }

  private Bucket of(K key) {
    lock.lock();
    try {
      var bucket = buckets.computeIfAbsent(key, _ -> full());
      if (buckets.size() > MOST) {
        buckets.pollFirstEntry();
      }
      return bucket;
    } finally {
      lock.unlock();
    }
  }

  private Bucket full() {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(burst).refillGreedy(perSecond, Duration.ofSeconds(1)))
        .build();
  }
}
