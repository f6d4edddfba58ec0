package io.leasehold.rest.auth;

import com.nimbusds.jose.jwk.JWK;
import io.leasehold.rest.problem.RequestRefusal;
import java.util.List;

/** The public keys of an issuer, as it publishes them. Safe to share between threads. */
interface IssuerKeys {

  /**
   * Finds the keys of a name.
   *
   * @return nothing if the issuer has none of that name
   * @throws RequestRefusal if its keys cannot be had at present
   */
  List<JWK> named(String kid);
}
