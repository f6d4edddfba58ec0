package io.leasehold.rest.auth;

import io.leasehold.rest.RestConfig;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Identifies the caller by the token alone. Safe to share between threads. */
@Singleton
public final class Authentication {

  private final int tokenMost;
  private final Map<String, CheckToken> issuers;
  private final ReadClaims claims;

  @Inject
  Authentication(RestConfig config, Clock clock) {
    tokenMost = config.limits().tokenMost();
    issuers =
        config.issuers().stream()
            .map(issuer -> new CheckToken(issuer, IssuerKeys.at(issuer.jwks())))
            .collect(Collectors.toMap(check -> check.issuer().issuer(), Function.identity()));
    claims = new ReadClaims(clock);
  }

  /**
   * Identifies the caller.
   *
   * @param headers all values of the header {@code Authorization}
   * @param correlationId links everything that is done for the request
   * @throws RequestRefusal if there is no valid token, or the token cannot be verified currently
   */
  public Authenticated authenticate(List<String> headers, String correlationId) {
    var token = BearerToken.in(headers, tokenMost);
    var check = issuers.get(BearerToken.word(token.claims(), "iss", Distrust.ISSUER));
    if (check == null) {
      throw Distrust.ISSUER.refusal();
    }
    check.check(token);
    return claims.read(check.issuer(), token.claims(), correlationId);
  }
}
