package io.leasehold.rest.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A running server, called with one caller's token. Safe to share between threads. */
public final class JobsServer implements AutoCloseable {

  private static final String API = "/api/v1";
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(90); // Longer than any long poll.
  private static final int OK_BELOW = 300;
  private static final int NO_CONTENT = 204;

  private final URI url;
  private final String token;
  private final JsonMapper json = JsonMapper.builder().build();
  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(CONNECT_LIMIT)
          .version(HttpClient.Version.HTTP_1_1)
          .build();

  /**
   * Creates a client of a server.
   *
   * @param url the server's address, such as {@code http://127.0.0.1:8080}
   * @param token the caller's token
   * @throws IllegalArgumentException if the URL is not an HTTP URL
   */
  public JobsServer(URI url, String token) {
    if (url.getHost() == null || !("http".equals(url.getScheme()) || isSecure(url))) {
      throw new IllegalArgumentException(
          "the server must be given as http://host:port or https://host, not '%s'".formatted(url));
    }
    this.url = url;
    this.token = token;
  }

  private static boolean isSecure(URI url) {
    return "https".equals(url.getScheme());
  }

  /** The server's address. */
  URI url() {
    return url;
  }

  /**
   * Sends a call and waits for the response.
   *
   * @throws ServerProblem if the call is refused, or there is no response
   */
  public Answer answer(Call call) {
    var request = request(call, "application/json").timeout(ANSWER_LIMIT).build();
    var response = sent(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
    if (response.statusCode() >= OK_BELOW) {
      throw problem(response.statusCode(), response.body());
    }
    return new Answer(response.statusCode(), response.body());
  }

  /**
   * A successful response.
   *
   * @param status the HTTP status
   * @param body the body as received; empty if there is none
   */
  public record Answer(int status, String body) {}

  /**
   * Asks the server whether it can do its work; needs no token.
   *
   * @throws ServerProblem if there is no response, or the server is not ready
   */
  public Answer readiness() {
    return health("/readyz", "not ready");
  }

  /**
   * Asks the server whether it should keep running, even if it currently cannot do its work; needs
   * no token.
   *
   * @throws ServerProblem if there is no response, or the server is not alive
   */
  public Answer liveness() {
    return health("/healthz", "to be replaced");
  }

  private Answer health(String page, String otherwise) {
    var request = HttpRequest.newBuilder(URI.create(base() + page)).timeout(CONNECT_LIMIT).build();
    var response = sent(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
    if (response.statusCode() >= OK_BELOW) {
      throw new ServerProblem(
          response.statusCode(), "%s is %s: %s".formatted(url, otherwise, response.body()));
    }
    return new Answer(response.statusCode(), response.body());
  }

  /** Parses a body. */
  public JsonNode parsed(String body) {
    try {
      return json.readTree(body);
    } catch (JacksonException e) {
      throw new ServerProblem("%s answered what is no JSON".formatted(url), e);
    }
  }

  /**
   * Opens a stream of server-sent events, which the caller closes.
   *
   * @param after the last received event; empty for all events
   * @throws ServerProblem if the call is refused, or there is no response
   */
  Optional<InputStream> stream(Call call, String after) {
    var request = request(call, "text/event-stream");
    if (!after.isEmpty()) {
      request.header("Last-Event-ID", after);
    }
    var response = sent(request.timeout(ANSWER_LIMIT).build(), BodyHandlers.ofInputStream());
    if (response.statusCode() >= OK_BELOW) {
      throw problem(response.statusCode(), text(response.body()));
    }
    return response.statusCode() == NO_CONTENT ? Optional.empty() : Optional.of(response.body());
  }

  private static String text(InputStream body) {
    try (body) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the answer broke off", e);
    }
  }

  private HttpRequest.Builder request(Call call, String accept) {
    var request =
        HttpRequest.newBuilder(URI.create(base() + API + call.pathAndQuery()))
            .method(call.method(), BodyPublishers.noBody())
            .header("Accept", accept);
    return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
  }

  private String base() {
    return url.toString().replaceFirst("/+$", "");
  }

  private <T> HttpResponse<T> sent(HttpRequest request, BodyHandler<T> body) {
    try {
      return http.send(request, body);
    } catch (IOException e) {
      throw new ServerProblem("cannot reach a server at %s".formatted(url), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerProblem("interrupted", e);
    }
  }

  /**
   * One line: what is wrong, as exactly as the server reports it, and where to find more in the
   * log.
   */
  private ServerProblem problem(int status, String body) {
    try {
      var problem = json.readTree(body);
      var title = problem.path("title").asString("refused");
      var detail = problem.path("detail").asString(title);
      var trace = problem.path("trace_id").asString("");
      return new ServerProblem(
          status,
          "%d %s%s".formatted(status, detail, trace.isEmpty() ? "" : " (trace " + trace + ")"));
    } catch (JacksonException e) {
      return new ServerProblem(
          status, "%d from %s, which is no server of jobs".formatted(status, url));
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
