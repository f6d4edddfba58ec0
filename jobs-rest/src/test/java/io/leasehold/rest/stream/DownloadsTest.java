package io.leasehold.rest.stream;

import static io.leasehold.rest.stack.RestStack.ACME;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.concurrent.CompletableFuture.runAsync;
import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobId;
import io.leasehold.rest.stack.ApiClient;
import io.leasehold.rest.stack.Gate;
import io.leasehold.rest.stack.RawHttp;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.rest.stack.TestIssuer;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is sent for longer than the token or the server lasts. */
class DownloadsTest {

  /** As many as the system has no room for where the client does not read, of 60,000 bytes. */
  private static final int EVENTS = 400;

  private static final Duration LONG = Duration.ofSeconds(60);

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  @Test
  void areCutOffWhenTheTokenExpires() {
    try (var stack = RestStack.on(database)) {
      var events = pathOf(told(stack, 5), "events");
      var outputs = pathOf(left(stack), "outputs/large");
      var expired = stack.client().token(expired(stack.issuer()));

      assertThat(lines(stack.client(ACME)).get(events).body()).contains("succeeded");
      assertThatThrownBy(() -> lines(expired).get(events)).isInstanceOf(UncheckedIOException.class);
      assertThat(stack.client(ACME).get(outputs).body()).hasSize(1 << 20);
      assertThatThrownBy(() -> expired.get(outputs)).isInstanceOf(UncheckedIOException.class);
    }
  }

  @Test
  void areCutOffWhenTheServerStops() throws Exception {
    try (var stack = RestStack.on(database)) {
      var path = pathOf(told(stack, EVENTS), "events");
      try (var connection = RawHttp.reluctantTo(stack)) {
        connection.send(
            """
            GET %s HTTP/1.1\r
            Host: test\r
            Accept: application/x-ndjson\r
            Authorization: Bearer %s\r
            \r
            """
                .formatted(path, stack.issuer().token(ACME))
                .getBytes(ISO_8859_1));
        await().atMost(LONG).until(() -> reads(stack) > 1);
        var stopped = runAsync(stack::stopServing);
        await().atMost(LONG).until(() -> refusesConnections(stack.port()));

        assertThatThrownBy(() -> connection.read("GET")).isInstanceOf(IOException.class);
        stopped.get(LONG.toSeconds(), TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void longPollEndsWhenItsTokenExpires() throws Exception {
    var gate = new Gate();
    try (var stack = RestStack.on(database)) {
      var path = "/api/v1/jobs/%s?wait=60s".formatted(stack.submit(ACME, gate));
      var client = stack.client().token(stack.issuer().shortToken(ACME, Duration.ofSeconds(2)));

      var answer = supplyAsync(() -> client.get(path)).get(30, TimeUnit.SECONDS);

      assertThat(answer.status()).isEqualTo(200);
      gate.open();
    }
  }

  /** Taken by its issuer's skew alone: as if it expired while the first portion is sent. */
  private static String expired(TestIssuer issuer) {
    var now = Instant.now().getEpochSecond();
    var claims = issuer.claims(ACME);
    claims.put("nbf", now - 20);
    claims.put("iat", now - 20);
    claims.put("exp", now - 1);
    return issuer.signed(claims);
  }

  private static double reads(RestStack stack) {
    return stack.meters().get("leasehold.http.streams.reads").timer().count();
  }

  private static boolean refusesConnections(int port) {
    try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static ApiClient lines(ApiClient client) {
    return client.header("Accept", "application/x-ndjson");
  }

  private static JobId told(RestStack stack, int events) {
    return stack.done(
        ACME,
        (job, name) -> {
          for (var i = 0; i < events; i++) {
            job.event("log", Map.of("text", "x".repeat(60_000)));
          }
          return "told";
        });
  }

  private static JobId left(RestStack stack) {
    return stack.done(
        ACME,
        (job, name) -> job.output("large", "a/b", out -> out.write(new byte[1 << 20])).name());
  }

  private static String pathOf(JobId id, String rest) {
    return "/api/v1/jobs/%s/%s".formatted(id, rest);
  }
}
