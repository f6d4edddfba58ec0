package io.leasehold.rest.http;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.batches.BatchId;
import io.leasehold.rest.limit.StrictName;
import io.leasehold.rest.limit.StrictUuid;
import io.leasehold.rest.parse.Accepts;
import io.leasehold.rest.parse.Query;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;

/** An admitted request and the response to it. Confined to one thread. */
public final class Exchange {

  /** Small, because a waiting stream may keep it; larger data bypass it. */
  private static final int STREAM_BUFFER = 512;

  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final Optional<Admitted> admitted;
  private final Query query;
  private final String mediaType;
  private final Map<String, String> named;

  /**
   * Creates an exchange for an admitted request.
   *
   * @param admitted the caller, if the route needs a token
   * @param mediaType the media type of the response
   * @param named the path parameters, by their names in the route's path
   */
  public Exchange(
      HttpServletRequest request,
      HttpServletResponse response,
      Optional<Admitted> admitted,
      Query query,
      String mediaType,
      Map<String, String> named) {
    this.request = request;
    this.response = response;
    this.admitted = admitted;
    this.query = query;
    this.mediaType = mediaType;
    this.named = Map.copyOf(named);
  }

  /** The caller; only for routes that need a token. */
  public SecurityContext caller() {
    return admitted.orElseThrow().who().caller();
  }

  /** The remaining validity of the token. */
  public Duration tokenRemaining() {
    return admitted.orElseThrow().who().remaining();
  }

  /** Marks the response as long-lived: it counts as a stream from now on. */
  public void lasts() {
    admitted.ifPresent(Admitted::close);
  }

  /** Whether the client wants only the headers of the response. */
  public boolean isForHeadersOnly() {
    return request.getMethod().equals("HEAD");
  }

  /**
   * The requested job.
   *
   * @throws RequestRefusal if the id is invalid
   */
  public JobId job() {
    return Optional.ofNullable(named.get("id"))
        .filter(StrictUuid::is)
        .map(JobId::of)
        .orElseThrow(() -> RequestRefusal.of(Problem.MALFORMED_ID));
  }

  /**
   * The requested schedule.
   *
   * @throws RequestRefusal if no schedule can have this name, with the same problem as if none had
   *     it
   */
  public String schedule() {
    return Optional.ofNullable(named.get("name"))
        .filter(StrictName::is)
        .orElseThrow(() -> RequestRefusal.of(Problem.NOT_FOUND));
  }

  /** A path parameter, of a route whose path contains this name. */
  public String named(String name) {
    return Optional.ofNullable(named.get(name)).orElseThrow();
  }

  /**
   * The requested batch.
   *
   * @throws RequestRefusal if the id is invalid
   */
  public BatchId batch() {
    return Optional.ofNullable(named.get("id"))
        .filter(StrictUuid::is)
        .map(BatchId::of)
        .orElseThrow(() -> RequestRefusal.of(Problem.MALFORMED_ID));
  }

  /** The query parameters. */
  public Query query() {
    return query;
  }

  /** The chosen media type of the route. */
  public String mediaType() {
    return mediaType;
  }

  /**
   * Restricts the response to this media type.
   *
   * @throws RequestRefusal if the client does not accept it
   */
  public Exchange giving(String only) {
    var chosen = Accepts.choose(headers("Accept"), List.of(only));
    return new Exchange(request, response, admitted, query, chosen, named);
  }

  /** All values of a header. */
  public List<String> headers(String name) {
    return Collections.list(request.getHeaders(name));
  }

  /** Adds a header to the response. */
  public void header(String name, String value) {
    response.setHeader(name, value);
  }

  /** Responds with JSON. */
  public void json(int status, Object answer) throws IOException {
    bytes(status, mediaType, JsonBody.bytes(answer));
  }

  /** Responds with bytes of any type. */
  public void bytes(int status, String type, byte[] bytes) throws IOException {
    response.setStatus(status);
    response.setContentType(type);
    response.setContentLength(bytes.length);
    if (!isForHeadersOnly()) {
      response.getOutputStream().write(bytes);
    }
  }

  /** Responds without a body. */
  public void nothing(int status) {
    response.setContentType(null);
    response.setStatus(status);
  }

  /** Starts a response of unknown length; each flush sends what was written. */
  public OutputStream stream() throws IOException {
    response.setStatus(HttpServletResponse.SC_OK);
    response.setContentType(mediaType);
    response.setBufferSize(STREAM_BUFFER);
    return response.getOutputStream();
  }

  /** Starts a response of {@code length} bytes. */
  public OutputStream stream(int status, long length) throws IOException {
    response.setStatus(status);
    response.setContentType(mediaType);
    response.setContentLengthLong(length);
    return response.getOutputStream();
  }

  /** Closes the connection at once, so that the client notices that the response is incomplete. */
  public void cut() {
    cut(request);
  }

  /** Closes the connection of a request at once. */
  public static void cut(HttpServletRequest request) {
    ServletContextRequest.getServletContextRequest(request)
        .getConnectionMetaData()
        .getConnection()
        .getEndPoint()
        .close();
  }
}
