package io.leasehold.rest.limit;

import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.rest.RestLimits;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

/** Limits the request rates of tenants and their principals. */
@Singleton
public final class RequestRates {

  private final Buckets<TenantId> tenants;
  private final Buckets<Principal> principals;

  @Inject
  RequestRates(RestLimits limits) {
    tenants = new Buckets<>(limits.requestsPerSecond(), limits.requestsBurst());
    principals =
        new Buckets<>(limits.requestsPerSecondOfPrincipal(), limits.requestsBurstOfPrincipal());
  }

  /**
   * Counts a request. A request refused to a principal does not count for its tenant.
   *
   * @throws RequestRefusal if there were too many requests
   */
  public void take(SecurityContext caller) {
    var wait = principals.take(Principal.of(caller));
    if (wait.isZero()) {
      wait = tenants.take(caller.tenant());
    }
    if (!wait.isZero()) {
      throw RequestRefusal.until(Problem.TOO_MANY_REQUESTS, wait);
    }
  }
}
