package io.leasehold.rest.limit;

import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.rest.RestLimits;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Limits how many requests of a tenant are answered concurrently, because each response stays in
 * memory until its client has read it. Further requests wait in order, for a limited time.
 */
@Singleton
public final class AnswerPlaces {

  static final Duration WAIT_MOST = Duration.ofSeconds(5);
  private static final Duration A_WHILE = Duration.ofSeconds(1);

  private final int perTenant;
  private final Duration waitMost;
  private final Map<TenantId, Places> tenants = new ConcurrentHashMap<>();

  @Inject
  AnswerPlaces(RestLimits limits) {
    this(limits.answersPerTenant(), WAIT_MOST);
  }

  AnswerPlaces(int perTenant, Duration waitMost) {
    this.perTenant = perTenant;
    this.waitMost = waitMost;
  }

  /**
   * Takes a place for a response, until that place is closed; waits if all are taken.
   *
   * @throws RequestRefusal if none becomes free in time
   */
  public Place take(SecurityContext caller) throws InterruptedException {
    var tenant = caller.tenant();
    var places = enter(tenant);
    var taken = false;
    try {
      taken = places.free.tryAcquire(waitMost.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      if (!taken) {
        leave(tenant);
      }
    }
    if (!taken) {
      throw RequestRefusal.until(Problem.TOO_MANY_REQUESTS, A_WHILE);
    }
    var left = new AtomicBoolean();
    return () -> {
      if (left.compareAndSet(false, true)) {
        places.free.release();
        leave(tenant);
      }
    };
  }

  /** The number of tenants with state in memory. */
  int count() {
    return tenants.size();
  }

  private Places enter(TenantId tenant) {
    return Objects.requireNonNull(
        tenants.compute(
            tenant,
            (_, known) -> {
              var places = known == null ? new Places(perTenant) : known;
              places.users++;
              return places;
            }));
  }

  private void leave(TenantId tenant) {
    tenants.computeIfPresent(tenant, (_, places) -> --places.users == 0 ? null : places);
  }

  /** A tenant's places, kept while a request holds one of them or waits for one. */
  private static final class Places {

    private final Semaphore free;

    /** Changed only while the map's entry is computed, and so by one thread at a time. */
    private int users;

    private Places(int most) {
      free = new Semaphore(most, true);
    }
  }
}
