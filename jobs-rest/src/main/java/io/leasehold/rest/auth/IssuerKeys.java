package io.leasehold.rest.auth;

import com.nimbusds.jose.jwk.JWK;
import io.leasehold.rest.problem.RequestRefusal;
import java.util.List;

/** The public keys that an issuer publishes. Safe to share between threads. */
interface IssuerKeys {

  /**
   * Finds the keys with a name.
   *
   * @return empty if the issuer has no key of that name
   * @throws RequestRefusal if the keys are currently unavailable
   */
  List<JWK> named(String kid);
}
