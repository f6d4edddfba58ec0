package io.leasehold.engine.signal.wakeup;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Topics that wait to be said. What was not said for a while can be said at once; what is told
 * again soon after waits until the while is over, however often it is told. Safe to share.
 */
final class Coalesced {

  private final long windowNanos;

  // Guarded by this. Topics are few: they are the queues that types of jobs name.
  private final Set<String> waiting = new HashSet<>();
  private final Map<String, Long> saidAt = new HashMap<>();

  /**
   * Nothing waits.
   *
   * @param window how long a topic is not said again
   */
  Coalesced(Duration window) {
    this.windowNanos = window.toNanos();
  }

  /**
   * Has a topic said.
   *
   * @return in how many nanoseconds; nothing, if it waits already
   */
  synchronized OptionalLong add(String topic, long now) {
    if (!waiting.add(topic)) {
      return OptionalLong.empty();
    }
    var last = saidAt.get(topic);
    return OptionalLong.of(last == null ? 0 : Math.max(0, last + windowNanos - now));
  }

  /** All that waits: what one statement can say need not wait for another. */
  synchronized Set<String> take(long now) {
    var taken = Set.copyOf(waiting);
    waiting.clear();
    taken.forEach(topic -> saidAt.put(topic, now));
    return taken;
  }
}
