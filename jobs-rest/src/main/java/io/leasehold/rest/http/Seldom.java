package io.leasehold.rest.http;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Lets one line a minute into the log for each kind of event, and counts those that it keeps back:
 * what happens with every request during an outage is told, and does not fill a disk. Safe to share
 * between threads.
 *
 * @param <K> the kinds, of which there are few
 */
public final class Seldom<K> {

  private static final Duration EVERY = Duration.ofMinutes(1);

  private final LongSupplier nanos;
  private final Map<K, Told> told = new ConcurrentHashMap<>();

  /** Has told nothing yet. */
  public Seldom() {
    this(System::nanoTime);
  }

  Seldom(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Asks whether to tell that it happened again.
   *
   * @return how often that was kept back since it was told last; nothing if it is kept back now
   */
  public OptionalLong next(K kind) {
    var now = nanos.getAsLong();
    var due = new AtomicReference<>(OptionalLong.empty());
    told.compute(
        kind,
        (its, last) -> {
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
