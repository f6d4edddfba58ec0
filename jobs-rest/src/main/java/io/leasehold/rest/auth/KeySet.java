package io.leasehold.rest.auth;

import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import java.text.ParseException;
import java.util.List;
import java.util.Optional;

/**
 * Keys that verify signatures.
 *
 * @param keys public keys, each with a name
 */
record KeySet(List<JWK> keys) {

  private static final int RSA_BITS_LEAST = 2_048;

  KeySet {
    keys = List.copyOf(keys);
  }

  /**
   * Parses a JWKS; empty if the text is not one. Keys that do not verify signatures are left out.
   */
  static Optional<KeySet> parse(String json) {
    try {
      return Optional.of(
          new KeySet(
              JWKSet.parse(json).getKeys().stream()
                  .filter(KeySet::isUsable)
                  .map(JWK::toPublicJWK)
                  .toList()));
    } catch (ParseException e) {
      return Optional.empty();
    }
  }

  List<JWK> named(String kid) {
    return keys.stream().filter(key -> kid.equals(key.getKeyID())).toList();
  }

  private static boolean isUsable(JWK key) {
    return key.getKeyID() != null
        && (key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE))
        && (key instanceof ECKey || (key instanceof RSAKey && key.size() >= RSA_BITS_LEAST));
  }
}
