package io.leasehold.rest.server;

import static io.leasehold.rest.stack.RestStack.ACME;
import static io.leasehold.rest.stack.RestStack.ADMIN;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.rest.stack.Answer;
import io.leasehold.rest.stack.ApiClient;
import io.leasehold.rest.stack.RawHttp;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.rest.stack.Works;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class JettyServerTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final String JOB = "/api/v1/jobs/" + UUID.randomUUID();

  static RestStack stack;

  @BeforeAll
  static void start() {
    stack =
        RestStack.on(
            database,
            config -> config.limits(config.limits().headerTimeout(Duration.ofSeconds(1))));
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void refusesInvalidRequests() throws IOException {
    assertThat(said("nonsense\r\n\r\n").problem()).isEqualTo("malformed-request");
    assertThat(said("GET / HTTP/9.9\r\n\r\n").problem()).isEqualTo("malformed-request");
    assertThat(said("GET / HTTP/1.1\r\n\r\n").problem()).isEqualTo("malformed-request");
    assertThat(said("GET /%zz HTTP/1.1\r\nHost: test\r\n\r\n").problem())
        .isEqualTo("malformed-request");
    assertThat(said("GET /api/v1/jobs/;x=%zz HTTP/1.1\r\nHost: test\r\n\r\n").problem())
        .isEqualTo("malformed-request");
    assertThat(said("GET /a%2fb HTTP/1.1\r\nHost: test\r\n\r\n").problem())
        .isEqualTo("malformed-request");
  }

  @Test
  void refusesRequestsThatAreTooLong() throws IOException {
    assertThat(
            said("GET /%s HTTP/1.1\r\nHost: test\r\n\r\n".formatted("x".repeat(20_000))).problem())
        .isEqualTo("uri-too-long");
    assertThat(
            said("GET / HTTP/1.1\r\nHost: test\r\nX: %s\r\n\r\n".formatted("x".repeat(20_000)))
                .problem())
        .isEqualTo("headers-too-large");
  }

  @Test
  void refusesInvalidPaths() {
    var client = stack.client(ACME);

    assertThat(client.get("/").problem()).isEqualTo("not-found");
    assertThat(client.get("/api/v1/jobs/").problem()).isEqualTo("not-found");
    assertThat(client.get("/API/v1/jobs").problem()).isEqualTo("not-found");
    assertThat(client.get("/favicon.ico").problem()).isEqualTo("not-found");
  }

  @Test
  void refusesUnsupportedMediaTypes() {
    var client = stack.client(ACME);

    assertThat(client.header("Accept", "text/html").get("/api/v1/jobs").problem())
        .isEqualTo("not-acceptable");
    assertThat(
            client
                .header("Accept", "application/json;q=0, text/html")
                .get("/api/v1/jobs")
                .problem())
        .isEqualTo("not-acceptable");
    assertThat(
            client.header("Accept", "text/html, application/*;q=0.1").get("/api/v1/jobs").status())
        .isEqualTo(200);
  }

  @Test
  void treatsAnEmptyAcceptAsNone() throws IOException {
    assertThat(said("GET /healthz HTTP/1.1\r\nHost: test\r\nAccept: \r\n\r\n").status())
        .isEqualTo(200);
  }

  @Test
  void parsesAnyAcceptHeaderQuickly() {
    var spaces = "a%sb".formatted(" ".repeat(15_000));
    var client = stack.client().header("Accept", spaces);

    // The least of them is what it costs; the others also wait for whatever else the machine does.
    var least = IntStream.range(0, 5).mapToLong(i -> nanosOf(client)).min().orElseThrow();

    assertThat(Duration.ofNanos(least)).isLessThan(Duration.ofMillis(500));
  }

  private static long nanosOf(ApiClient client) {
    var begun = System.nanoTime();
    client.get("/healthz");
    return System.nanoTime() - begun;
  }

  @Test
  void longPollWorksWithAnEmptyBody() throws IOException {
    var waiting =
        stack
            .jobs()
            .submit(RestStack.caller(ACME), Works.TYPE.request("never").delay(Duration.ofHours(1)))
            .jobId();
    try (var connection = RawHttp.to(stack)) {
      var answer =
          connection.ask(
              "GET",
              "/api/v1/jobs/%s?wait=4s".formatted(waiting),
              "Authorization: Bearer " + stack.issuer().token(ACME),
              "Content-Length: 0");

      assertThat(answer.status()).isEqualTo(200);
    }
  }

  @Test
  void acceptsOnlyAnEmptyObjectAsBody() {
    var admin = stack.client(ACME, ADMIN);
    var json = admin.header("Content-Type", "application/json; charset=UTF-8");

    assertThat(json.send("POST", JOB + "/cancel", "{}").problem()).isEqualTo("not-found");
    assertThat(json.send("POST", JOB + "/cancel", " { } ").problem()).isEqualTo("not-found");
    assertThat(json.send("POST", JOB + "/cancel", "{\"a\":1}").problem()).isEqualTo("body-refused");
    assertThat(json.send("POST", JOB + "/cancel", "{").problem()).isEqualTo("body-refused");
    assertThat(json.send("DELETE", JOB, "{}").problem()).isEqualTo("body-refused");
    assertThat(admin.send("POST", JOB + "/cancel", "{}").problem())
        .isEqualTo("media-type-unsupported");
    assertThat(
            admin
                .header("Content-Type", "application/json; charset=utf-16")
                .send("POST", JOB + "/cancel", "{}")
                .problem())
        .isEqualTo("media-type-unsupported");
  }

  @Test
  void refusesAnInvalidCharset() throws IOException {
    var token = stack.issuer().token(ACME, ADMIN);
    var request =
        """
        POST %s/cancel HTTP/1.1\r
        Host: test\r
        Authorization: Bearer %s\r
        Content-Type: application/json; charset=\u00a3tf-8\r
        Content-Length: 2\r
        \r
        {}\
        """
            .formatted(JOB, token);

    assertThat(said(request).problem()).isEqualTo("media-type-unsupported");
  }

  @Test
  void limitsTheSizeOfABody() throws IOException {
    var token = stack.issuer().token(ACME, ADMIN);
    var head =
        "POST %s/cancel HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer %s\r\n"
            .formatted(JOB, token);

    assertThat(said(head + "Content-Length: 1048577\r\n\r\n").problem())
        .isEqualTo("body-too-large");
    try (var connection = RawHttp.to(stack)) {
      connection.send((head + "Transfer-Encoding: chunked\r\n\r\n100001\r\n").getBytes(ISO_8859_1));
      connection.send(" ".repeat(0x100001).getBytes(ISO_8859_1));
      assertThat(connection.read("POST").problem()).isEqualTo("body-too-large");
    }
  }

  @Test
  void refusesABodyOfAnotherLength() throws IOException {
    var head = command("");

    assertThat(said(head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n").problem())
        .isEqualTo("malformed-request");
    assertThat(said(head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}x\r\n").problem())
        .isEqualTo("malformed-request");
    try (var connection = RawHttp.to(stack)) {
      connection.send((head + "Content-Length: 9\r\n\r\n{").getBytes(ISO_8859_1));
      connection.endOutput();
      assertThat(connection.read("POST").problem()).isEqualTo("malformed-request");
    }
  }

  @Test
  void refusesAnUnsupportedContentEncoding() throws IOException {
    var chunks = "\r\n2\r\n{}\r\n0\r\n\r\n";

    assertThat(said(command("Transfer-Encoding: gzip, chunked\r\n" + chunks)).problem())
        .isEqualTo("malformed-request");
    assertThat(said(command("Transfer-Encoding: Chunked\r\n" + chunks)).problem())
        .isEqualTo("not-found");
  }

  @Test
  void answersASlowRequestWithATimeout() throws IOException {
    try (var header = RawHttp.to(stack);
        var body = RawHttp.to(stack);
        var chunks = RawHttp.to(stack)) {
      header.send("GET / HTTP/1.1\r\nHost:".getBytes(ISO_8859_1));
      body.send(command("Content-Length: 9\r\n\r\n{").getBytes(ISO_8859_1));
      chunks.send(command("Transfer-Encoding: chunked\r\n\r\n1\r\n").getBytes(ISO_8859_1));

      for (var slow : List.of(header, body, chunks)) {
        var answer = slow.read("POST");
        assertThat(answer.status()).isEqualTo(408);
        assertThat(answer.problem()).isEqualTo("request-timeout");
        assertThat(answer.header("Trace-Id")).isEqualTo(answer.word("trace_id"));
        slow.awaitEnd();
      }
    }
  }

  @Test
  void closesAConnectionThatSendsNothing() throws IOException {
    try (var silent = RawHttp.to(stack)) {
      silent.awaitEnd();
    }
  }

  private static String command(String rest) {
    return """
    POST %s/cancel HTTP/1.1\r
    Host: test\r
    Content-Type: application/json\r
    Authorization: Bearer %s\r
    %s\
    """
        .formatted(JOB, stack.issuer().token(ACME, ADMIN), rest);
  }

  @Test
  void continuesATrace() {
    var client = stack.client(ACME);
    var trace = "4bf92f3577b34da6a3ce929d0e0e4736";

    assertThat(
            client
                .header("traceparent", "00-%s-00f067aa0ba902b7-01".formatted(trace))
                .get(JOB)
                .word("trace_id"))
        .isEqualTo(trace);
    assertThat(client.header("traceparent", "00-" + trace).get(JOB).word("trace_id"))
        .isNotEqualTo(trace)
        .hasSize(32);
  }

  private static Answer said(String request) throws IOException {
    try (var connection = RawHttp.to(stack)) {
      connection.send(request.getBytes(ISO_8859_1));
      return connection.read("GET");
    }
  }
}
