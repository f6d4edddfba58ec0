package io.leasehold.rest.auth;

import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.rest.TokenIssuer;
import io.leasehold.rest.limit.StrictUuid;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the caller from claims whose signature was checked. */
final class ReadClaims {

  private static final Pattern WORD =
      Pattern.compile("[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]{1,255}");
  private static final int ROLES_MOST = 100;

  /** The year 9999, in seconds. */
  private static final double SECONDS_MOST = 253_402_300_799d;

  private static final double YEAR_SECONDS = 365 * 86_400d;
  private static final double MILLIS = 1_000;

  private final Clock clock;

  ReadClaims(Clock clock) {
    this.clock = clock;
  }

  /**
   * Reads the claims.
   *
   * @throws io.leasehold.rest.problem.RequestRefusal if a claim is missing or invalid
   */
  Authenticated read(TokenIssuer issuer, JsonNode claims, String correlationId) {
    requireAudience(issuer, claims.get("aud"));
    var valid = validFor(issuer, claims);
    var tenant = BearerToken.word(claims, issuer.tenantClaim(), Distrust.CLAIMS);
    var principal = BearerToken.word(claims, "sub", Distrust.CLAIMS);
    if (!StrictUuid.is(tenant) || !WORD.matcher(principal).matches() || principal.isBlank()) {
      throw Distrust.CLAIMS.refusal();
    }
    var caller =
        SecurityContext.of(principal, TenantId.of(tenant))
            .roles(roles(claims.get(issuer.rolesClaim())))
            .correlationId(correlationId)
            .build();
    return new Authenticated(caller, System.nanoTime() + valid.toNanos());
  }

  private static void requireAudience(TokenIssuer issuer, @Nullable JsonNode audience) {
    if (audience == null || !words(audience, true).contains(issuer.audience())) {
      throw Distrust.AUDIENCE.refusal();
    }
  }

  private Duration validFor(TokenIssuer issuer, JsonNode claims) {
    var now = clock.millis() / MILLIS;
    var skew = issuer.skew().toMillis() / MILLIS;
    var expires = seconds(claims.get("exp"));
    var begins = seconds(claims.get("nbf"));
    var issued = claims.has("iat") ? seconds(claims.get("iat")) : begins;
    if (expires + skew <= now
        || begins - skew > now
        || issued - skew > now
        || expires <= issued
        || expires <= begins) {
      throw Distrust.TIME.refusal();
    }
    // Capped at a year, which is longer than any request lasts and does not overflow.
    return Duration.ofMillis((long) (Math.min(expires - now, YEAR_SECONDS) * MILLIS));
  }

  private static double seconds(@Nullable JsonNode value) {
    if (value == null || !value.isNumber()) {
      throw Distrust.TIME.refusal();
    }
    var seconds = value.doubleValue();
    if (!(seconds >= 0 && seconds <= SECONDS_MOST)) {
      throw Distrust.TIME.refusal();
    }
    return seconds;
  }

  private static Set<String> roles(@Nullable JsonNode claim) {
    return claim == null ? Set.of() : words(claim, false);
  }

  private static Set<String> words(JsonNode value, boolean oneMayStandAlone) {
    if (oneMayStandAlone && value.isString()) {
      return Set.of(value.stringValue());
    }
    if (!value.isArray()
        || value.size() > ROLES_MOST
        || !StreamSupport.stream(value.spliterator(), false).allMatch(JsonNode::isString)) {
      throw Distrust.CLAIMS.refusal();
    }
    var words = new HashSet<String>();
    value.forEach(word -> words.add(word.stringValue()));
    return words;
  }
}
