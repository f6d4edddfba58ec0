package io.leasehold.rest.auth;

import io.leasehold.jobs.SecurityContext;
import java.time.Duration;

/**
 * A caller whose token is valid.
 *
 * @param caller the caller's identity and tenant
 * @param expiresAt when the token expires, by {@code System.nanoTime}
 */
public record Authenticated(SecurityContext caller, long expiresAt) {

  /**
   * The remaining validity of the token; negative if the token is valid only because of its
   * issuer's skew.
   */
  public Duration remaining() {
    return Duration.ofNanos(expiresAt - System.nanoTime());
  }
}
