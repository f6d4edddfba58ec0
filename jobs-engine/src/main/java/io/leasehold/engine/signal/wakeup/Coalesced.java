package io.leasehold.engine.signal.wakeup;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Pending messages, coalesced. A message that was not sent recently may be sent at once. A message
 * that was sent recently waits until the window has passed, however often it is added. Safe to
 * share.
 */
final class Coalesced<M> {

  private final long windowNanos;

  // Guarded by this. There are few messages: mostly the queues that job types name.
  private final Set<M> waiting = new HashSet<>();
  private final Map<M, Long> sentAt = new HashMap<>();

  /**
   * Creates a set with no pending messages.
   *
   * @param window the minimum time between two sends of a message
   */
  Coalesced(Duration window) {
    this.windowNanos = window.toNanos();
  }

  /**
   * Adds a message.
   *
   * @return the delay until it may be sent, in nanoseconds; empty if it is pending already
   */
  synchronized OptionalLong add(M message, long now) {
    if (!waiting.add(message)) {
      return OptionalLong.empty();
    }
    var last = sentAt.get(message);
    return OptionalLong.of(last == null ? 0 : Math.max(0, last + windowNanos - now));
  }

  /** Takes all pending messages, even early ones: one statement can send them all. */
  synchronized Set<M> take(long now) {
    var taken = Set.copyOf(waiting);
    waiting.clear();
    taken.forEach(message -> sentAt.put(message, now));
    return taken;
  }
}
