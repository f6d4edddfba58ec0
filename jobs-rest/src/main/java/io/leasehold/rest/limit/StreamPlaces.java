package io.leasehold.rest.limit;

import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.rest.RestLimits;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Limits how many streams tenants and their principals may have open, and how many long polls. Long
 * polls have separate places: a disconnected client is noticed only when its poll is answered, and
 * until then the poll must not block streams.
 */
@Singleton
public final class StreamPlaces {

  private static final Duration A_WHILE = Duration.ofSeconds(5);
  private static final Duration SPREAD_LEAST = Duration.ofSeconds(1);
  private static final Duration SPREAD_MOST = Duration.ofMinutes(1);

  private final int perTenant;
  private final int perPrincipal;
  private final int requestsPerSecond;
  private final Taken streams = new Taken(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
  private final Taken polls = new Taken(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());

  @Inject
  StreamPlaces(RestLimits limits) {
    perTenant = limits.streamsPerTenant();
    perPrincipal = limits.streamsPerPrincipal();
    requestsPerSecond = limits.requestsPerSecond();
  }

  /**
   * Takes a place for a stream, until that place is closed.
   *
   * @throws RequestRefusal if all are taken
   */
  public Place take(SecurityContext caller) {
    return take(streams, caller);
  }

  /**
   * Takes a place for a long poll, until the poll is answered.
   *
   * @throws RequestRefusal if all are taken
   */
  public Place takeToWait(SecurityContext caller) {
    return take(polls, caller);
  }

  private Place take(Taken taken, SecurityContext caller) {
    var principal = Principal.of(caller);
    if (isFull(taken.principals(), principal, perPrincipal)) {
      throw RequestRefusal.until(Problem.TOO_MANY_STREAMS, A_WHILE);
    }
    if (isFull(taken.tenants(), caller.tenant(), perTenant)) {
      leave(taken.principals(), principal);
      throw RequestRefusal.until(Problem.TOO_MANY_STREAMS, A_WHILE);
    }
    var left = new AtomicBoolean();
    return () -> {
      if (left.compareAndSet(false, true)) {
        leave(taken.tenants(), caller.tenant());
        leave(taken.principals(), principal);
      }
    };
  }

  /**
   * The period over which a tenant's streams should reconnect after all of them broke at once, so
   * that none is refused. It is twice the time that their requests take at the tenant's rate,
   * because the first streams opened knew of fewer others than the last ones. At most a minute.
   */
  public Duration spread(SecurityContext caller) {
    var open = streams.tenants().getOrDefault(caller.tenant(), 0);
    var spread = Duration.ofSeconds(1).multipliedBy(2L * open).dividedBy(requestsPerSecond);
    return Collections.max(List.of(SPREAD_LEAST, Collections.min(List.of(SPREAD_MOST, spread))));
  }

  /** Takes one place if one is free; returns whether all were taken. */
  private static <K> boolean isFull(Map<K, Integer> taken, K key, int most) {
    var full = new AtomicBoolean();
    taken.compute(
        key,
        (_, count) -> {
          var before = count == null ? 0 : count;
          full.set(before >= most);
          return full.get() ? count : Integer.valueOf(before + 1);
        });
    return full.get();
  }

  private static <K> void leave(Map<K, Integer> taken, K key) {
    taken.computeIfPresent(key, (_, count) -> count == 1 ? null : Integer.valueOf(count - 1));
  }

  /** The number of places taken by each tenant and each principal. */
  private record Taken(Map<TenantId, Integer> tenants, Map<Principal, Integer> principals) {}
}
