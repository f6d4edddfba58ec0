package io.leasehold.jobs;

import java.util.Collection;
import java.util.Objects;
import java.util.Set;

/**
 * Who is calling, for which tenant, as the authentication established it.
 *
 * <p>Every call into the platform takes one, or a transaction opened from one. It alone says which
 * tenant's rows a statement may touch: no request, header or input can name a tenant. Only the code
 * that authenticates (and the engine, for the job that it runs) makes contexts.
 *
 * <p>Contexts are made by {@link #of} alone, so that one that exists is within its bounds: its
 * principal and its correlation id are stored with each job, and every worker has to read them.
 * Immutable and safe to share between threads.
 */
public sealed interface SecurityContext permits AuthenticatedCaller {

  /** Who calls: a user or a service, as its issuer names it; up to 255 characters on one line. */
  String principal();

  /** The tenant whose rows the caller may read and write. */
  TenantId tenant();

  /** The tenants whose rows the caller may read; {@link #tenant} is always one of them. */
  Set<TenantId> readableTenants();

  /** What the caller may do, as its issuer says; empty unless given. */
  Set<String> roles();

  /**
   * Ties what happens for one request together, in logs and in the jobs that it submits: up to 255
   * characters, no control characters.
   */
  String correlationId();

  /** Starts a context; without further calls it reads its own tenant only and has no roles. */
  static Builder of(String principal, TenantId tenant) {
    return new Builder(principal, tenant);
  }

  /** Collects the optional parts of a context. Not safe to share between threads. */
  final class Builder {

    private final String principal;
    private final TenantId tenant;
    private Set<TenantId> readable = Set.of();
    private Set<String> roles = Set.of();
    private String correlationId = "";

    private Builder(String principal, TenantId tenant) {
      this.principal = principal;
      this.tenant = Objects.requireNonNull(tenant, "tenant");
    }

    /** Further tenants whose rows may be read, at most 1,000; default none. */
    public Builder reading(Collection<TenantId> further) {
      this.readable = Set.copyOf(further);
      return this;
    }

    /** What the caller may do; default nothing. */
    public Builder roles(Collection<String> roles) {
      this.roles = Set.copyOf(roles);
      return this;
    }

    /**
     * Default empty. Of a longer one the first 255 characters are kept, and U+FFFD replaces each
     * control character, so that no id forges a line of a log.
     */
    public Builder correlationId(String correlationId) {
      this.correlationId = correlationId;
      return this;
    }

    /**
     * Makes the context.
     *
     * @throws IllegalArgumentException if the principal is blank, has more than 255 characters or a
     *     control character, or more tenants are readable than a statement can name
     */
    public SecurityContext build() {
      return AuthenticatedCaller.reading(principal, tenant, readable, roles, correlationId);
    }
  }
}
