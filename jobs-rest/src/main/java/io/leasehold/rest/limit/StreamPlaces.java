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
 * Holds tenants and their principals to the number of streams that they may have open, and to as
 * many long polls. These have places of their own: that the client of one is gone shows when it is
 * answered, and until then it must not stand in the way of streams.
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
   * Takes a place for a stream, until that is closed.
   *
   * @throws RequestRefusal if all are taken
   */
  public Place take(SecurityContext caller) {
    return take(streams, caller);
  }

  /**
   * Takes a place for a long poll, until that is answered.
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
   * Over how long a tenant's streams should come again after all of them broke off at once, for
   * none to be refused: in twice the time that its requests may take by its rate, as the first to
   * open knew of fewer others than the last. A minute at most.
   */
  public Duration spread(SecurityContext caller) {
    var open = streams.tenants().getOrDefault(caller.tenant(), 0);
    var spread = Duration.ofSeconds(1).multipliedBy(2L * open).dividedBy(requestsPerSecond);
    return Collections.max(List.of(SPREAD_LEAST, Collections.min(List.of(SPREAD_MOST, spread))));
  }

  /** Takes one place if there is one. */
  private static <K> boolean isFull(Map<K, Integer> taken, K key, int most) {
    var full = new AtomicBoolean();
    taken.compute(
        key,
        (its, count) -> {
          var before = count == null ? 0 : count;
          full.set(before >= most);
          return full.get() ? count : Integer.valueOf(before + 1);
        });
    return full.get();
  }

  private static <K> void leave(Map<K, Integer> taken, K key) {
    taken.computeIfPresent(key, (its, count) -> count == 1 ? null : Integer.valueOf(count - 1));
  }

  /** How many places each tenant has taken, and each of its principals. */
  private record Taken(Map<TenantId, Integer> tenants, Map<Principal, Integer> principals) {}
}
