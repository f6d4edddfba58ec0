package io.leasehold.rest.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FollowEventsTest {

  private static final Call CALL = Call.get("jobs", "1", "events", "stream");

  private static final String OVER = "event: end\ndata: {\"reason\":\"over\"}\n\n";

  /** The connection is not closed behind this, as where the server's machine lost its power. */
  private static final String SILENCE = ": silence\n\n";

  /** What the server says, connection by connection: a status, or the beginning of a stream. */
  private final Queue<Object> answers = new ConcurrentLinkedQueue<>();

  private final List<String> after = new ArrayList<>();
  private final List<String> seen = new ArrayList<>();

  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/api/v1/jobs/1/events/stream", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void endsWhenTheServerReportsTheEndOfTheJob() throws Exception {
    answers.add(event("1.0", "queued") + event("1.1", "succeeded") + OVER);

    follow("");

    assertThat(seen).containsExactly("1.0 queued", "1.1 succeeded");
  }

  @Test
  void continuesWithARetriedJob() throws Exception {
    answers.add(event("1.1", "failed") + event("1.2", "queued") + "event: end\ndata: {}\n\n");
    answers.add(event("2.1", "succeeded") + OVER);

    follow("");

    assertThat(seen).containsExactly("1.1 failed", "1.2 queued", "2.1 succeeded");
  }

  @Test
  void endsAtOnceAfterTheLastEvent() throws Exception {
    answers.add(204);

    follow("1.1");

    assertThat(seen).isEmpty();
  }

  @Test
  void resumesAfterTheLastWholeEvent() throws Exception {
    answers.add(event("1.0", "queued") + event("2.0", "started") + "id: 2.1\ndata: hal");
    answers.add(event("2.1", "progress"));
    answers.add(event("2.2", "failed") + OVER);

    follow("0.5");

    assertThat(after).containsExactly("0.5", "2.0", "2.1");
    assertThat(seen).containsExactly("1.0 queued", "2.0 started", "2.1 progress", "2.2 failed");
  }

  @Test
  void retriesWhileTheServerIsUnavailable() throws Exception {
    answers.add(event("1.0", "queued"));
    answers.add(503);
    answers.add(429);
    answers.add(event("1.1", "cancelled") + OVER);

    follow("");

    assertThat(seen).containsExactly("1.0 queued", "1.1 cancelled");
  }

  @Test
  @Timeout(60)
  void reconnectsWhenAConnectionFallsSilent() throws Exception {
    answers.add(event("1.0", "queued") + SILENCE);
    answers.add(event("1.1", "cancelled") + OVER);

    follow("");

    assertThat(after).containsExactly("", "1.0");
    assertThat(seen).containsExactly("1.0 queued", "1.1 cancelled");
  }

  @Test
  void endsWhenTheServerRefuses() {
    answers.add(event("1.0", "queued"));
    answers.add(401);

    assertThatThrownBy(() -> follow(""))
        .isInstanceOf(ServerProblem.class)
        .hasMessage("401 sign in (trace t1)");
    assertThat(seen).containsExactly("1.0 queued");
  }

  @Test
  void failsAtOnceIfTheServerNeverAnswered() {
    server.stop(0);

    assertThatThrownBy(() -> follow(""))
        .isInstanceOfSatisfying(
            ServerProblem.class, it -> assertThat(it.status()).isEqualTo(ServerProblem.UNREACHABLE))
        .hasMessageStartingWith("cannot reach a server at http://");
  }

  private void follow(String from) throws InterruptedException {
    var url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    try (var jobs = new JobsServer(url, "token")) {
      new FollowEvents(jobs, Duration.ofSeconds(20), Duration.ofSeconds(2))
          .follow(CALL, from, seen::add);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    if (answers.element() instanceof String text && text.endsWith(SILENCE)) {
      after.add("");
      answers.remove();
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
      exchange.getResponseBody().flush();
      return;
    }
    try (exchange) {
      assertThat(exchange.getRequestHeaders().getFirst("Authorization")).isEqualTo("Bearer token");
      var last = exchange.getRequestHeaders().getFirst("Last-Event-ID");
      after.add(last == null ? "" : last);
      var answer = answers.remove();
      var body =
          (answer instanceof String text ? text : problem()).getBytes(StandardCharsets.UTF_8);
      if (answer.equals(204)) {
        exchange.sendResponseHeaders(204, -1);
        return;
      }
      exchange.sendResponseHeaders(answer instanceof Integer status ? status : 200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static String event(String id, String name) {
    return "id: %s\nevent: %s\ndata: %s %s\n\n".formatted(id, name, id, name);
  }

  private static String problem() {
    return "{\"title\": \"token expired\", \"detail\": \"sign in\", \"trace_id\": \"t1\"}";
  }
}
