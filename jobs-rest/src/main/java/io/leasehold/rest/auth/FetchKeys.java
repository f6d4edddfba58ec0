package io.leasehold.rest.auth;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.proc.SecurityContext;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches the keys at a URL, rarely enough that tokens with made-up key names do not harm the
 * issuer. The library's own retriever follows redirects and limits each read, but not their sum.
 * Called by one thread at a time.
 */
final class FetchKeys implements JWKSetSource<SecurityContext> {

  private static final Logger log = LoggerFactory.getLogger(FetchKeys.class);

  private static final int BYTES_MOST = 256 << 10;
  private static final int OK = 200;
  private static final Duration CONNECT_MOST = Duration.ofSeconds(2);
  private static final long MOST_SECONDS = 4;
  private static final Duration BETWEEN_FETCHES = Duration.ofSeconds(30);
  private static final Duration BETWEEN_FIRST_FETCHES = Duration.ofSeconds(2);

  private final URI address;
  private final LongSupplier millis;
  private Duration pause = BETWEEN_FIRST_FETCHES;
  private long dueAt;

  FetchKeys(URI address, LongSupplier millis) {
    this.address = address;
    this.millis = millis;
    this.dueAt = millis.getAsLong();
  }

  @Override
  public JWKSet getJWKSet(
      JWKSetCacheRefreshEvaluator refresh, long now, @Nullable SecurityContext context)
      throws JWKSetUnavailableException {
    if (millis.getAsLong() < dueAt) {
      throw new JWKSetUnavailableException("the next fetch is not due yet");
    }
    var found = fetch().flatMap(FetchKeys::parse);
    if (found.isPresent()) {
      pause = BETWEEN_FETCHES;
    } else {
      log.warn("no keys at {}: it cannot be reached, or is no JWKS", address);
    }
    dueAt = millis.getAsLong() + pause.toMillis();
    return found.orElseThrow(() -> new JWKSetUnavailableException("no keys at " + address));
  }

  private Optional<String> fetch() {
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

  private static Optional<JWKSet> parse(String json) {
    try {
      return Optional.of(JWKSet.parse(json).toPublicJWKSet());
    } catch (ParseException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    // Nothing stays open between two fetches.
  }
}
