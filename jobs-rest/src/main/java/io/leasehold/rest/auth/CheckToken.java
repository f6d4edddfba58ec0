package io.leasehold.rest.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import io.leasehold.rest.TokenIssuer;
import java.text.ParseException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Checks that a token is an access token of an issuer, signed by that issuer. */
final class CheckToken {

  private static final Set<String> TYPES = Set.of("at+jwt", "application/at+jwt");

  /**
   * Header fields that would take a key from the token itself, or change the meaning of its parts.
   */
  private static final List<String> REFUSED =
      List.of("jku", "jwk", "x5u", "x5c", "crit", "b64", "zip", "enc", "epk", "cty");

  private final TokenIssuer issuer;
  private final IssuerKeys keys;

  CheckToken(TokenIssuer issuer, IssuerKeys keys) {
    this.issuer = issuer;
    this.keys = keys;
  }

  TokenIssuer issuer() {
    return issuer;
  }

  /**
   * Checks the header, and the signature by a key that the header only names.
   *
   * @throws io.leasehold.rest.problem.RequestRefusal if the token is invalid
   */
  void check(BearerToken token) {
    var header = token.header();
    var algorithm = BearerToken.word(header, "alg", Distrust.HEADER);
    var type = BearerToken.word(header, "typ", Distrust.HEADER).toLowerCase(Locale.ROOT);
    if (!issuer.algorithms().contains(algorithm)
        || !TYPES.contains(type)
        || REFUSED.stream().anyMatch(header::has)) {
      throw Distrust.HEADER.refusal();
    }
    var name = BearerToken.word(header, "kid", Distrust.KEY);
    var named = keys.find(name, JWSAlgorithm.parse(algorithm));
    if (named.isEmpty()) {
      throw Distrust.KEY.refusal();
    }
    if (named.stream().noneMatch(key -> isSigned(token, key))) {
      throw Distrust.SIGNATURE.refusal();
    }
  }

  private static boolean isSigned(BearerToken token, JWK key) {
    try {
      var signed = JWSObject.parse(token.compact());
      return key instanceof AsymmetricJWK asymmetric
          && signed.verify(
              new DefaultJWSVerifierFactory()
                  .createJWSVerifier(signed.getHeader(), asymmetric.toPublicKey()));
    } catch (ParseException | JOSEException e) {
      return false;
    }
  }
}
