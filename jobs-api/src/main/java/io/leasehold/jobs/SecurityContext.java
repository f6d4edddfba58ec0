package io.leasehold.jobs;

import java.util.Collection;
import java.util.Objects;
import java.util.Set;

/**
 * Identifies the caller and its tenant, as established by authentication.
 *
 * <p>Every call into the platform takes a context, or a transaction opened from one. The context
 * alone decides which tenant's rows a statement may touch: no request, header or input can name a
 * tenant. Only the code that authenticates callers creates contexts, and the engine, for the job
 * that it runs.
 *
 * <p>{@link #of} is the only way to create a context, so every context is within its bounds. This
 * matters because the principal and the correlation id are stored with each job, and every worker
 * must be able to read them. Immutable and safe to share between threads.
 */
public sealed interface SecurityContext permits AuthenticatedCaller {

  /**
   * Returns the user or service that calls, as named by its issuer: up to 255 characters on one
   * line.
   */
  String principal();

  /** Returns the tenant whose rows the caller may read and write. */
  TenantId tenant();

  /** Returns the tenants whose rows the caller may read; {@link #tenant} is always one of them. */
  Set<TenantId> readableTenants();

  /** Returns the roles of the caller, as stated by its issuer; empty by default. */
  Set<String> roles();

  /**
   * Returns the id that connects everything done for one request, in logs and in submitted jobs: up
   * to 255 characters, no control characters.
   */
  String correlationId();

  /** Starts building a context. By default it reads its own tenant only and has no roles. */
  static Builder of(String principal, TenantId tenant) {
    return new Builder(principal, tenant);
  }

  /**
   * Returns a text as a context holds it as its correlation id: truncated to its first 255
   * characters, with each control character replaced by U+FFFD.
   */
  static String correlationIdOf(String text) {
    return Bounds.correlation(text);
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

    /** Sets further tenants whose rows the caller may read, at most 1,000; default none. */
    public Builder reading(Collection<TenantId> further) {
      this.readable = Set.copyOf(further);
      return this;
    }

    /** Sets the roles of the caller; default none. */
    public Builder roles(Collection<String> roles) {
      this.roles = Set.copyOf(roles);
      return this;
    }

    /**
     * Sets the correlation id; default empty. A longer id is truncated to its first 255 characters.
     * Each control character is replaced by U+FFFD, so that no id can forge a log line.
     */
    public Builder correlationId(String correlationId) {
      this.correlationId = correlationId;
      return this;
    }

    /**
     * Builds the context.
     *
     * @throws IllegalArgumentException if the principal is blank, exceeds 255 characters or has a
     *     control character, or if there are more readable tenants than a statement can name
     */
    public SecurityContext build() {
      return AuthenticatedCaller.reading(principal, tenant, readable, roles, correlationId);
    }
  }
}
