package io.leasehold.rest.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Asks a server, and checks each answer against the document. Immutable. */
public final class ApiClient {

  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Duration MOST = Duration.ofSeconds(60);

  private final int port;
  private final List<String> headers;

  /** Asks the server that listens on a port of this machine, without a token. */
  public ApiClient(int port) {
    this(port, List.of());
  }

  private ApiClient(int port, List<String> headers) {
    this.port = port;
    this.headers = List.copyOf(headers);
  }

  /** With a token. */
  public ApiClient token(String token) {
    return header("Authorization", "Bearer " + token);
  }

  /** With a header more. */
  public ApiClient header(String name, String value) {
    var all = new ArrayList<>(headers);
    all.addAll(Arrays.asList(name, value));
    return new ApiClient(port, all);
  }

  public Answer get(String path) {
    return send("GET", path, "");
  }

  public Answer post(String path) {
    return send("POST", path, "");
  }

  public Answer delete(String path) {
    return send("DELETE", path, "");
  }

  /** Sends a request, and waits for the whole answer. */
  public Answer send(String method, String path, String body) {
    try {
      var response =
          HTTP.send(
              request(path)
                  .method(
                      method,
                      body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                  .timeout(MOST)
                  .build(),
              BodyHandlers.ofString());
      var answer = new Answer(response.statusCode(), response.headers(), response.body());
      ApiDocument.CURRENT.check(method, path, answer);
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Begins to read an answer that does not end by itself. */
  public LiveStream stream(String path) {
    try {
      var response = HTTP.send(request(path).GET().build(), BodyHandlers.ofInputStream());
      return new LiveStream(path, response);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private HttpRequest.Builder request(String path) {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)));
    for (var i = 0; i < headers.size(); i += 2) {
      request.header(headers.get(i), headers.get(i + 1));
    }
    return request;
  }
}
