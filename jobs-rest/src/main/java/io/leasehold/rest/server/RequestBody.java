package io.leasehold.rest.server;

import io.leasehold.rest.RestLimits;
import io.leasehold.rest.http.Route;
import io.leasehold.rest.limit.StrictJson;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Collections;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Looks at what a request brings along: nothing, or, where commands are given, an empty object. */
final class RequestBody {

  private static final Pattern JSON =
      Pattern.compile("application/json *(; *charset *= *\"?utf-8\"?)?", Pattern.CASE_INSENSITIVE);

  private final int most;

  @Inject
  RequestBody(RestLimits limits) {
    this.most = limits.bodyMost();
  }

  /**
   * Reads it.
   *
   * @throws RequestRefusal if it is anything else
   */
  void check(Route route, HttpServletRequest request) {
    requireKnownCoding(request);
    if (request.getContentLengthLong() > most) {
      throw RequestRefusal.of(Problem.BODY_TOO_LARGE);
    }
    var body = read(request);
    if (body.length > most) {
      throw RequestRefusal.of(Problem.BODY_TOO_LARGE);
    }
    if (body.length > 0) {
      if (!route.takesBody()) {
        throw RequestRefusal.of(Problem.BODY_REFUSED);
      }
      requireEmptyObject(request, body);
    }
  }

  /** Jetty reads chunks, and whatever else was said of them as if it had not been said. */
  private static void requireKnownCoding(HttpServletRequest request) {
    var codings = Collections.list(request.getHeaders("Transfer-Encoding"));
    if (!codings.isEmpty() && !String.join(",", codings).strip().equalsIgnoreCase("chunked")) {
      throw RequestRefusal.of(Problem.MALFORMED_REQUEST);
    }
  }

  private byte[] read(HttpServletRequest request) {
    // One that is said to be empty is read as well: until its end a request has not arrived.
    var none = request.getContentLengthLong() < 0 && request.getHeader("Transfer-Encoding") == null;
    try {
      return none ? new byte[0] : request.getInputStream().readNBytes(most + 1);
    } catch (IOException e) {
      // Chunks that are none, or fewer bytes than were said. Whoever is gone hears no answer.
      throw RequestRefusal.of(Problem.MALFORMED_REQUEST);
    }
  }

  private static void requireEmptyObject(HttpServletRequest request, byte[] body) {
    // As it was sent: where it is asked for by its own method, Jetty fails at a charset that is
    // none.
    var type = request.getHeader("Content-Type");
    if (type == null
        || !JSON.matcher(type.strip()).matches()
        || request.getHeader("Content-Encoding") != null) {
      throw RequestRefusal.of(Problem.MEDIA_TYPE_UNSUPPORTED);
    }
    if (StrictJson.object(body).filter(JsonNode::isEmpty).isEmpty()) {
      throw RequestRefusal.of(Problem.BODY_REFUSED);
    }
  }
}
