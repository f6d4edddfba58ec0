package io.leasehold.rest.problem;

import java.util.Locale;

/** All problems that a request can have. A name never changes its meaning. */
public enum Problem {
  MALFORMED_REQUEST(400, "The request is not well-formed."),
  MALFORMED_ID(400, "The id cannot be one: it must be a UUID of 36 characters."),
  PARAMETER_REFUSED(400, "A parameter of the request is not one that is taken."),
  BODY_REFUSED(400, "The body is not one that is taken: it must be empty, or an empty object."),
  UNAUTHENTICATED(401, "A valid token is needed."),
  ROLE_MISSING(403, "The token has not the role that this needs."),
  NOT_FOUND(404, "There is nothing here."),
  METHOD_NOT_ALLOWED(405, "The method is not one that is taken here."),
  NOT_ACCEPTABLE(406, "None of the media types that are accepted is one that is given."),
  REQUEST_TIMEOUT(408, "The request took too long to arrive."),
  TOO_LATE(409, "The job is over already."),
  NOT_OVER(409, "The job is not over yet."),
  RETRY_NOT_NEEDED(409, "The job waits, runs, or has succeeded: there is nothing to retry."),
  RUNNING(409, "The job runs, and is deleted with force only."),
  BODY_TOO_LARGE(413, "The body is larger than is taken."),
  URI_TOO_LONG(414, "The address is longer than is taken."),
  MEDIA_TYPE_UNSUPPORTED(415, "The body must be application/json in UTF-8."),
  RANGE_NOT_SATISFIABLE(416, "The file has no such part."),
  REFUSED(422, "What was asked for cannot be done."),
  TOO_MANY_REQUESTS(429, "There were too many requests in a short time."),
  TOO_MANY_STREAMS(429, "There are too many open streams."),
  BUSY(429, "The service is busy at present."),
  HEADERS_TOO_LARGE(431, "The headers are larger than is taken."),
  FAILED(500, "The service failed."),
  UNAVAILABLE(503, "The service is not available at present.");

  private static final String PREFIX = "urn:leasehold:problem:";

  private final int status;
  private final String title;

  Problem(int status, String title) {
    this.status = status;
    this.title = title;
  }

  /** The status of the response. */
  public int status() {
    return status;
  }

  /** The description for people. */
  public String title() {
    return title;
  }

  /** The identifier for programs. */
  public String type() {
    return PREFIX + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Maps a status that was set by a component outside of this service's own code. */
  static Problem ofStatus(int status) {
    return switch (status) {
      case 401 -> UNAUTHENTICATED;
      case 404 -> NOT_FOUND;
      case 405 -> METHOD_NOT_ALLOWED;
      case 406 -> NOT_ACCEPTABLE;
      case 408 -> REQUEST_TIMEOUT;
      case 413 -> BODY_TOO_LARGE;
      case 414 -> URI_TOO_LONG;
      case 415 -> MEDIA_TYPE_UNSUPPORTED;
      case 416 -> RANGE_NOT_SATISFIABLE;
      case 429 -> BUSY;
      case 431 -> HEADERS_TOO_LARGE;
      case 500 -> FAILED;
      case 503 -> UNAVAILABLE;
      // An unsupported version of HTTP, or an unsupported coding, is the client's error.
      default -> MALFORMED_REQUEST;
    };
  }
}
