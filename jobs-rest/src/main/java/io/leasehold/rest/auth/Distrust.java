package io.leasehold.rest.auth;

import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import java.util.Locale;

/** Why a token is not taken: for the operator, and for nobody who sends one. */
enum Distrust {
  /** There is none, or more than one. */
  NO_TOKEN,
  /** It has another form than a signed token in the header, or is too long. */
  MALFORMED,
  /** Its issuer is none that is configured. */
  ISSUER,
  /** It is of another type, by another algorithm, or says more of itself than it may. */
  HEADER,
  /** The issuer has no such key. */
  KEY,
  /** It was not signed by that key. */
  SIGNATURE,
  /** It is for another service. */
  AUDIENCE,
  /** It has expired, is not valid yet, or does not say when it is. */
  TIME,
  /** It does not say who calls, of which tenant, with which roles. */
  CLAIMS;

  /** The answer, which is the same for all. */
  RequestRefusal refusal() {
    return RequestRefusal.because(Problem.UNAUTHENTICATED, name().toLowerCase(Locale.ROOT));
  }
}
