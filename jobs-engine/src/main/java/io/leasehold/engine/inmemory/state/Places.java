package io.leasehold.engine.inmemory.state;

import io.leasehold.engine.work.handlers.HandlerRegistry;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.JobsException.Limit;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * The limits on unfinished jobs, for each kind and for all kinds together. A refusal takes no lock
 * and almost no time. Safe to share between threads.
 */
@Singleton
public final class Places {

  private final Map<HandlerId, Bound> kinds;
  private final Bound all;

  @Inject
  public Places(HandlerRegistry handlers, MemoryTerms terms) {
    this.kinds =
        handlers.inMemory().values().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    handler -> handler.type().handler(),
                    handler ->
                        new Bound(" of " + handler.type().handler(), handler.type().capacity())));
    this.all = new Bound("", terms.capacity());
  }

  /**
   * Takes a place for a job of this kind.
   *
   * @throws JobsException with {@link ErrorCode#MEMORY_FULL} if there is none left
   */
  public void take(HandlerId handler) {
    var kind = of(handler);
    kind.take();
    try {
      all.take();
    } catch (JobsException e) {
      kind.giveBack();
      throw e;
    }
  }

  public void giveBack(HandlerId handler) {
    all.giveBack();
    of(handler).giveBack();
  }

  private Bound of(HandlerId handler) {
    return Objects.requireNonNull(kinds.get(handler));
  }

  private record Bound(String which, int most, AtomicInteger taken) {

    Bound(String which, int most) {
      this(which, most, new AtomicInteger());
    }

    void take() {
      int seen;
      do {
        seen = taken.get();
        if (seen >= most) {
          throw new JobsException(
              ErrorCode.MEMORY_FULL,
              "this process has %d jobs%s in memory, and takes at most %d"
                  .formatted(seen, which, most),
              new Limit(most, seen));
        }
      } while (!taken.compareAndSet(seen, seen + 1));
    }

    void giveBack() {
      taken.decrementAndGet();
    }
  }
}
