package io.leasehold.rest.issuer;

import io.leasehold.jobs.TenantId;
import io.leasehold.rest.settings.DurationSettings;
import java.time.Duration;
import java.util.List;

/**
 * The contents of a token.
 *
 * @param tenant the tenant whose rows its holder may see
 * @param principal its holder
 * @param roles the roles of its holder
 * @param life its validity: a second to 30 days
 */
public record TokenRequest(TenantId tenant, String principal, List<String> roles, Duration life) {

  /** The default validity of a token. */
  public static final Duration LIFE = Duration.ofHours(8);

  private static final Duration LEAST = Duration.ofSeconds(1);
  private static final Duration MOST = Duration.ofDays(30);

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public TokenRequest {
    roles = List.copyOf(roles);
    if (principal.isBlank()) {
      throw new IllegalArgumentException("a token needs a principal");
    }
    if (life.compareTo(LEAST) < 0 || life.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "a token lives 1s to 30d, not " + DurationSettings.write(life));
    }
  }
}
