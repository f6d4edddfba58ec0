package io.leasehold.rest;

import java.net.URI;
import java.time.Duration;
import java.util.Set;

/**
 * Whose tokens are taken, and what they have to be like. Immutable; the methods that set something
 * return a changed copy.
 *
 * @param issuer its name, exactly as in the claim {@code iss}
 * @param audience what this service is called in the claim {@code aud}
 * @param algorithms by which it signs: some of {@link #ALGORITHMS}; default RS256, PS256 and ES256
 * @param jwks where its public keys are: an {@code http}, {@code https} or {@code file} URI
 * @param tenantClaim which claim names the tenant; default {@code tenant_id}
 * @param rolesClaim which claim lists the roles; default {@code roles}
 * @param skew by how much its clock may differ; default 30 s, at most 60 s
 */
public record TokenIssuer(
    String issuer,
    String audience,
    Set<String> algorithms,
    URI jwks,
    String tenantClaim,
    String rolesClaim,
    Duration skew) {

  /** All algorithms that can be allowed: signatures by a key that only the issuer has. */
  public static final Set<String> ALGORITHMS =
      Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

  private static final Set<String> SCHEMES = Set.of("http", "https", "file");
  private static final Duration SKEW_MOST = Duration.ofSeconds(60);

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if one does not hold
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

  /** An issuer with the defaults. */
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

  /** By which algorithms it signs. */
  public TokenIssuer algorithms(Set<String> algorithms) {
    return new TokenIssuer(issuer, audience, algorithms, jwks, tenantClaim, rolesClaim, skew);
  }

  /** Which claim names the tenant. */
  public TokenIssuer tenantClaim(String tenantClaim) {
    return new TokenIssuer(issuer, audience, algorithms, jwks, tenantClaim, rolesClaim, skew);
  }

  /** Which claim lists the roles. */
  public TokenIssuer rolesClaim(String rolesClaim) {
    return new TokenIssuer(issuer, audience, algorithms, jwks, tenantClaim, rolesClaim, skew);
  }

  /** By how much its clock may differ. */
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
