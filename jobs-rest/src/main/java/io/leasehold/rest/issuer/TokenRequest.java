package io.leasehold.rest.issuer;

import io.leasehold.jobs.TenantId;
import io.leasehold.rest.settings.DurationSettings;
import java.time.Duration;
import java.util.List;

/**
 * What a token is to say.
 *
 * @param tenant whose rows its holder may see
 * @param principal who its holder is
 * @param roles what its holder may do
 * @param life how long it can be used: a second to 30 days
 */
public record TokenRequest(TenantId tenant, String principal, List<String> roles, Duration life) {

  /** How long a token can be used unless something else is asked for. */
  public static final Duration LIFE = Duration.ofHours(8);

  private static final Duration LEAST = Duration.ofSeconds(1);
  private static final Duration MOST = Duration.ofDays(30);

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if one does not hold
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
