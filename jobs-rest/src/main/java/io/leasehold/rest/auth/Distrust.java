package io.leasehold.rest.auth;

import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import java.util.Locale;

/** The reason for rejecting a token: reported to the operator, never to the client. */
enum Distrust {
  /** There is no token, or more than one. */
  NO_TOKEN,
  /** It is not a signed token in the header, or it is too long. */
  MALFORMED,
  /** Its issuer is not configured. */
  ISSUER,
  /** It has another type or algorithm, or its header has fields that are not allowed. */
  HEADER,
  /** The issuer has no such key. */
  KEY,
  /** It was not signed with that key. */
  SIGNATURE,
  /** It is for another service. */
  AUDIENCE,
  /** It has expired, is not valid yet, or has no validity period. */
  TIME,
  /** It lacks the caller, the tenant or the roles. */
  CLAIMS;

  /** Creates the response, which is the same for all reasons. */
  RequestRefusal refusal() {
    return RequestRefusal.because(Problem.UNAUTHENTICATED, name().toLowerCase(Locale.ROOT));
  }
}
