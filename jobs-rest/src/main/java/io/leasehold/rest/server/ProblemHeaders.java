package io.leasehold.rest.server;

import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Sets the headers of a problem. */
final class ProblemHeaders {

  private ProblemHeaders() {}

  static Map<String, String> of(RequestRefusal refusal) {
    var headers = new TreeMap<String, String>();
    refusal.allow().ifPresent(it -> headers.put("Allow", it));
    refusal.retryAfter().ifPresent(it -> headers.put("Retry-After", secondsOf(it)));
    if (refusal.problem() == Problem.UNAUTHENTICATED) {
      headers.put("WWW-Authenticate", "Bearer");
    }
    if (refusal.problem() == Problem.BODY_TOO_LARGE) {
      headers.put("Connection", "close"); // The rest of the request is not read.
    }
    return headers;
  }

  /** Whole seconds, rounded up, at least 1. */
  private static String secondsOf(Duration duration) {
    return Long.toString(Math.max(1, duration.plusMillis(999).toSeconds()));
  }
}
