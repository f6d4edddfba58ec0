package io.leasehold.rest.auth;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Fetches the document at an address: once, without redirects, and with a short time limit. */
final class FetchKeys {

  private static final int BYTES_MOST = 256 << 10;
  private static final int OK = 200;
  private static final Duration CONNECT_MOST = Duration.ofSeconds(2);
  private static final long MOST_SECONDS = 4;

  Optional<String> fetch(URI address) {
    var client =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT_MOST)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    try {
      return Optional.of(
              client
                  .sendAsync(
                      HttpRequest.newBuilder(address).header("Accept", "application/json").build(),
                      BodyHandlers.limiting(
                          BodyHandlers.ofString(StandardCharsets.UTF_8), BYTES_MOST))
                  .orTimeout(MOST_SECONDS, TimeUnit.SECONDS)
                  .join())
          .filter(answer -> answer.statusCode() == OK)
          .map(HttpResponse::body);
    } catch (CompletionException e) {
      return Optional.empty();
    } finally {
      client.shutdownNow(); // Closing it would wait for a response that may never end.
    }
  }
}
