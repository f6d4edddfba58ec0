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

/** Checks the body of a request: it must be empty, or, for commands, an empty object. */
final class RequestBody {

  private static final Pattern JSON =
      Pattern.compile("application/json *(; *charset *= *\"?utf-8\"?)?", Pattern.CASE_INSENSITIVE);

  private final int most;

  @Inject
  RequestBody(RestLimits limits) {
    this.most = limits.bodyMost();
  }

  /**
   * Reads the body.
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

  /** Jetty decodes chunks and ignores any other coding that was declared. */
  private static void requireKnownCoding(HttpServletRequest request) {
    var codings = Collections.list(request.getHeaders("Transfer-Encoding"));
    if (!codings.isEmpty() && !String.join(",", codings).strip().equalsIgnoreCase("chunked")) {
      throw RequestRefusal.of(Problem.MALFORMED_REQUEST);
    }
  }

  private byte[] read(HttpServletRequest request) {
    // A body that is declared empty is read as well: a request has not arrived before its end.
    var none = request.getContentLengthLong() < 0 && request.getHeader("Transfer-Encoding") == null;
    try {
      return none ? new byte[0] : request.getInputStream().readNBytes(most + 1);
    } catch (IOException e) {
      // Invalid chunks, or fewer bytes than declared. A client that has disconnected sees no
      // response.
      throw RequestRefusal.of(Problem.MALFORMED_REQUEST);
    }
  }

  private static void requireEmptyObject(HttpServletRequest request, byte[] body) {
    // The raw header: Jetty's own method for it fails at an invalid charset.
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
