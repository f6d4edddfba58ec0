package io.leasehold.rest.http;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Limits logging to one line a minute for each kind of event, and counts suppressed ones. During an
 * outage, failures that affect every request are reported without filling the disk. Safe to share
 * between threads.
 *
 * @param <K> the kinds, of which there must be few
 */
public final class Seldom<K> {

  private static final Duration EVERY = Duration.ofMinutes(1);

  private final LongSupplier nanos;
  private final Map<K, Told> told = new ConcurrentHashMap<>();

  /** Creates a limiter that has reported no event yet. */
  public Seldom() {
    this(System::nanoTime);
  }

  Seldom(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Asks whether to report another event of this kind.
   *
   * @return the number of events suppressed since the last report; empty if this one is suppressed
   *     too
   */
  public OptionalLong next(K kind) {
    var now = nanos.getAsLong();
    var due = new AtomicReference<>(OptionalLong.empty());
    told.compute(
        kind,
        (_, last) -> {
          if (last == null || now - last.at() >= EVERY.toNanos()) {
            due.set(OptionalLong.of(last == null ? 0 : last.keptBack()));
            return new Told(now, 0);
          }
          return new Told(last.at(), last.keptBack() + 1);
        });
    return due.get();
  }

  private record Told(long at, long keptBack) {}
}
