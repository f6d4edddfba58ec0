package io.leasehold.rest.auth;

import io.leasehold.jobs.SecurityContext;
import java.time.Duration;

/**
 * A caller whose token is valid.
 *
 * @param caller who it is, for which tenant
 * @param expiresAt when the token is no longer valid, by {@code System.nanoTime}
 */
public record Authenticated(SecurityContext caller, long expiresAt) {

  /** For how long the token is still valid; negative if it is valid only by its issuer's skew. */
  public Duration remaining() {
    return Duration.ofNanos(expiresAt - System.nanoTime());
  }
}
