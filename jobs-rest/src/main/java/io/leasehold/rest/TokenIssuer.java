package io.leasehold.rest;

import java.net.URI;
import java.time.Duration;
import java.util.Set;

/**
 * An issuer whose tokens are accepted, and the rules for them. Immutable; the methods that set a
 * value return a changed copy.
 *
 * @param issuer its name, exactly as in the claim {@code iss}
 * @param audience the name of this service in the claim {@code aud}
 * @param algorithms its signature algorithms: some of {@link #ALGORITHMS}; default RS256, PS256 and
 *     ES256
 * @param jwks the location of its public keys: an {@code http}, {@code https} or {@code file} URI
 * @param tenantClaim the claim that names the tenant; default {@code tenant_id}
 * @param rolesClaim the claim that lists the roles; default {@code roles}
 * @param skew the tolerated difference of its clock; default 30 s, at most 60 s
 */
public record TokenIssuer(
    String issuer,
    String audience,
    Set<String> algorithms,
    URI jwks,
    String tenantClaim,
    String rolesClaim,
    Duration skew) {

  /**
   * All algorithms that can be allowed: only asymmetric signatures, whose private key only the
   * issuer has.
   */
  public static final Set<String> ALGORITHMS =
      Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

  private static final Set<String> SCHEMES = Set.of("http", "https", "file");
  private static final Duration SKEW_MOST = Duration.ofSeconds(60);

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public TokenIssuer {
    algorithms = Set.copyOf(algorithms);
    requireWord("issuer", issuer);
    requireWord("audience", audience);
    requireWord("tenantClaim", tenantClaim);
    requireWord("rolesClaim", rolesClaim);
    if (algorithms.isEmpty() || !ALGORITHMS.containsAll(algorithms)) {
      throw new IllegalArgumentException(
          "algorithms must be some of %s, not %s"
              .formatted(sorted(ALGORITHMS), sorted(algorithms)));
    }
    if (jwks.getScheme() == null || !SCHEMES.contains(jwks.getScheme())) {
      throw new IllegalArgumentException(
          "jwks must be an http, https or file URI, not %s".formatted(jwks));
    }
    if (skew.isNegative() || skew.compareTo(SKEW_MOST) > 0) {
      throw new IllegalArgumentException("skew must be PT0S to PT1M, not %s".formatted(skew));
    }
  }

  /** Creates an issuer with the defaults. */
  public static TokenIssuer of(String issuer, String audience, URI jwks) {
    return new TokenIssuer(
        issuer,
        audience,
        Set.of("RS256", "PS256", "ES256"),
        jwks,
        "tenant_id",
        "roles",
        Duration.ofSeconds(30));
  }

  /** Sets the issuer's signature algorithms. */
  public TokenIssuer algorithms(Set<String> algorithms) {
    return new TokenIssuer(issuer, audience, algorithms, jwks, tenantClaim, rolesClaim, skew);
  }

  /** Sets the claim that names the tenant. */
  public TokenIssuer tenantClaim(String tenantClaim) {
    return new TokenIssuer(issuer, audience, algorithms, jwks, tenantClaim, rolesClaim, skew);
  }

  /** Sets the claim that lists the roles. */
  public TokenIssuer rolesClaim(String rolesClaim) {
    return new TokenIssuer(issuer, audience, algorithms, jwks, tenantClaim, rolesClaim, skew);
  }

  /** Sets the tolerated difference of the issuer's clock. */
  public TokenIssuer skew(Duration skew) {
    return new TokenIssuer(issuer, audience, algorithms, jwks, tenantClaim, rolesClaim, skew);
  }

  private static void requireWord(String name, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(name + " must not be blank");
    }
  }

  private static String sorted(Set<String> names) {
    return String.join(", ", names.stream().sorted().toList());
  }
}
