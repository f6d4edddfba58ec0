package io.leasehold.jobs;

import java.util.HashSet;
import java.util.Set;

/** A context whose readable tenants include its own tenant. */
record AuthenticatedCaller(
    String principal,
    TenantId tenant,
    Set<TenantId> readableTenants,
    Set<String> roles,
    String correlationId)
    implements SecurityContext {

  // Each readable tenant becomes a bind value of every statement.
  private static final int READABLE_MAX = 1_000;

  AuthenticatedCaller {
    Bounds.requirePrincipal(principal);
    correlationId = Bounds.correlation(correlationId);
  }

  static SecurityContext reading(
      String principal,
      TenantId tenant,
      Set<TenantId> further,
      Set<String> roles,
      String correlationId) {
    if (further.isEmpty()) {
      return new AuthenticatedCaller(principal, tenant, Set.of(tenant), roles, correlationId);
    }
    var readable = new HashSet<>(further);
    readable.add(tenant);
    if (readable.size() > READABLE_MAX) {
      throw new IllegalArgumentException(
          "readable tenants must be at most %d, not %d".formatted(READABLE_MAX, readable.size()));
    }
    return new AuthenticatedCaller(principal, tenant, Set.copyOf(readable), roles, correlationId);
  }
}
