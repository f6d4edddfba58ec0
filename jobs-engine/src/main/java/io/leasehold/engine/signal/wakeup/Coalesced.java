package io.leasehold.engine.signal.wakeup;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Pending topics, coalesced. A topic that was not sent recently may be sent at once. A topic that
 * was sent recently waits until the window has passed, however often it is added. Safe to share.
 */
final class Coalesced {

  private final long windowNanos;

  // Guarded by this. There are few topics: the queues that job types name.
  private final Set<String> waiting = new HashSet<>();
  private final Map<String, Long> saidAt = new HashMap<>();

  /**
   * Creates a set with no pending topics.
   *
   * @param window the minimum time between two sends of a topic
   */
  Coalesced(Duration window) {
    this.windowNanos = window.toNanos();
  }

  /**
   * Adds a topic.
   *
   * @return the delay until it may be sent, in nanoseconds; empty if it is pending already
   */
  synchronized OptionalLong add(String topic, long now) {
    if (!waiting.add(topic)) {
      return OptionalLong.empty();
    }
    var last = saidAt.get(topic);
    return OptionalLong.of(last == null ? 0 : Math.max(0, last + windowNanos - now));
  }

  /** Takes all pending topics, even early ones: one statement can send them all. */
  synchronized Set<String> take(long now) {
    var taken = Set.copyOf(waiting);
    waiting.clear();
    taken.forEach(topic -> saidAt.put(topic, now));
    return taken;
  }
}
