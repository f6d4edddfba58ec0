package io.leasehold.rest.http;

import io.leasehold.jobs.BatchId;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.rest.limit.StrictName;
import io.leasehold.rest.limit.StrictUuid;
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

/** A request that was let in, and the answer to it. Belongs to one thread. */
public final class Exchange {

  /** Small, for a stream that waits may keep it; what is larger goes by it. */
  private static final int STREAM_BUFFER = 512;

  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final Optional<Admitted> admitted;
  private final Query query;
  private final String mediaType;
  private final Map<String, String> named;

  /**
   * A request that was let in.
   *
   * @param admitted who asks, if that has to be known
   * @param mediaType of the answer
   * @param named what the address names, by the names of the route's path
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

  /** Who asks; of routes that need a token only. */
  public SecurityContext caller() {
    return admitted.orElseThrow().who().caller();
  }

  /** For how long the token is still valid. */
  public Duration tokenRemaining() {
    return admitted.orElseThrow().who().remaining();
  }

  /** The answer will take a while, and is counted as a stream and no longer as an answer. */
  public void lasts() {
    admitted.ifPresent(Admitted::close);
  }

  /** Whether the client wants the headers of the answer and not the rest of it. */
  public boolean isForHeadersOnly() {
    return request.getMethod().equals("HEAD");
  }

  /**
   * Which job is asked for.
   *
   * @throws RequestRefusal if that cannot be one
   */
  public JobId job() {
    return Optional.ofNullable(named.get("id"))
        .filter(StrictUuid::is)
        .map(JobId::of)
        .orElseThrow(() -> RequestRefusal.of(Problem.MALFORMED_ID));
  }

  /**
   * Which schedule is asked for.
   *
   * @throws RequestRefusal if it can be nobody's name, as if there were none of that name
   */
  public String schedule() {
    return Optional.ofNullable(named.get("name"))
        .filter(StrictName::is)
        .orElseThrow(() -> RequestRefusal.of(Problem.NOT_FOUND));
  }

  /** What the address names, of a route whose path has this name. */
  public String named(String name) {
    return Optional.ofNullable(named.get(name)).orElseThrow();
  }

  /**
   * Which batch is asked for.
   *
   * @throws RequestRefusal if that cannot be one
   */
  public BatchId batch() {
    return Optional.ofNullable(named.get("id"))
        .filter(StrictUuid::is)
        .map(BatchId::of)
        .orElseThrow(() -> RequestRefusal.of(Problem.MALFORMED_ID));
  }

  /** The parameters. */
  public Query query() {
    return query;
  }

  /** Which of the route's media types to give. */
  public String mediaType() {
    return mediaType;
  }

  /**
   * The same, to be answered with this media type alone.
   *
   * @throws RequestRefusal if the client does not take it
   */
  public Exchange giving(String only) {
    var chosen = Accepts.choose(headers("Accept"), List.of(only));
    return new Exchange(request, response, admitted, query, chosen, named);
  }

  /** All values of a header. */
  public List<String> headers(String name) {
    return Collections.list(request.getHeaders(name));
  }

  /** Sends a header along with the answer. */
  public void header(String name, String value) {
    response.setHeader(name, value);
  }

  /** Answers with JSON. */
  public void json(int status, Object answer) throws IOException {
    bytes(status, mediaType, JsonBody.bytes(answer));
  }

  /** Answers with anything. */
  public void bytes(int status, String type, byte[] bytes) throws IOException {
    response.setStatus(status);
    response.setContentType(type);
    response.setContentLength(bytes.length);
    if (!isForHeadersOnly()) {
      response.getOutputStream().write(bytes);
    }
  }

  /** Answers without a body. */
  public void nothing(int status) {
    response.setContentType(null);
    response.setStatus(status);
  }

  /** Begins an answer whose end is not known; each flush sends what was written. */
  public OutputStream stream() throws IOException {
    response.setStatus(HttpServletResponse.SC_OK);
    response.setContentType(mediaType);
    response.setBufferSize(STREAM_BUFFER);
    return response.getOutputStream();
  }

  /** Begins an answer of so many bytes. */
  public OutputStream stream(int status, long length) throws IOException {
    response.setStatus(status);
    response.setContentType(mediaType);
    response.setContentLengthLong(length);
    return response.getOutputStream();
  }

  /** Ends the connection at once: whoever reads sees that the answer is not whole. */
  public void cut() {
    cut(request);
  }

  /** Ends the connection of a request at once. */
  public static void cut(HttpServletRequest request) {
    ServletContextRequest.getServletContextRequest(request)
        .getConnectionMetaData()
        .getConnection()
        .getEndPoint()
        .close();
  }
}
