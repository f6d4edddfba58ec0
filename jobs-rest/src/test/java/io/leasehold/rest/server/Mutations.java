package io.leasehold.rest.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes requests that begin well-formed, and are then changed, once or several times. */
final class Mutations {

  private static final List<String> NASTY =
      List.of(
          "'",
          "' OR '1'='1",
          "'; DROP TABLE job; --",
          "\" UNION SELECT 1 --",
          "%27%20OR%201%3D1--",
          "$$;SELECT pg_sleep(10);$$",
          "%00",
          "a%00b",
          "\0",
          "%",
          "%zz",
          "%c3%28",
          "%ff%fe",
          "%u0041",
          "\u00e4\u00f6",
          "%C3%A4",
          "../../etc/passwd",
          "..%2f..%2f",
          "%2e%2e/",
          ";x=1",
          "{{7*7}}",
          "${jndi:ldap://x}",
          "<script>",
          "9".repeat(400),
          "-1",
          "1e999",
          "NaN",
          "",
          " ",
          "\t",
          "x".repeat(5_000),
          "1970-01-01T00:00:00Z",
          "-999999999-01-01T00:00:00Z",
          "2026-13-45T99:99:99Z",
          "99999.99999",
          "0.-1",
          "gts.x.core.jobs.handler.v1~a.b.c.d.v1",
          "bytes=0-",
          "bytes=-1",
          "bytes=9-",
          "bytes=3-1",
          "bytes=0-0,1-1",
          "bytes=-",
          "bytes=999999999999999999-999999999999999999");

  private static final List<String> PARAMETERS =
      List.of(
          "handler",
          "queue",
          "status",
          "correlation_id",
          "created_after",
          "created_before",
          "cursor",
          "limit",
          "after",
          "follow",
          "wait",
          "force",
          "tenant_id",
          "access_token");

  private static final List<String> HEADERS =
      List.of(
          "Accept",
          "Accept-Charset",
          "Accept-Encoding",
          "Authorization",
          "Connection",
          "Content-Encoding",
          "Content-Length",
          "Content-Type",
          "Cookie",
          "Expect",
          "Forwarded",
          "Host",
          "If-None-Match",
          "If-Range",
          "Last-Event-ID",
          "Origin",
          "Range",
          "TE",
          "Tenant-Id",
          "Transfer-Encoding",
          "Upgrade",
          "X-HTTP-Method-Override",
          "traceparent");

  private static final List<String> BODIES =
      List.of(
          "{",
          "[]",
          "{}{}",
          "null",
          "{\"a\":1}",
          "{\"a\":1,\"a\":2}",
          "[".repeat(5_000),
          "{\"a\":".repeat(100) + "1" + "}".repeat(100),
          "{\"a\":" + "9".repeat(1_000) + "}",
          "{\"a\":1e999999}",
          "{\"tenant_id\":\"00000000-0000-4000-8000-0000000000b2\"}",
          "\u00ff\u00fe{\u0000}\u0000",
          "\u00ef\u00bb\u00bf{}",
          "{\"a\":\"\u00ff\"}",
          "\0",
          "'; DROP TABLE job; --",
          "x".repeat(70_000));

  private final Random random;
  private final String own;
  private final String foreign;
  private final List<String> tokens;

  Mutations(Random random, String own, String foreign, String user, String admin) {
    this.random = random;
    this.own = own;
    this.foreign = foreign;
    this.tokens = List.of(user, admin, admin);
  }

  Mutated next() {
    var request = wellFormed();
    for (var changes = 1 + random.nextInt(3); changes > 0; changes--) {
      change(request);
    }
    return request.mutated(random);
  }

  private Draft wellFormed() {
    var job = "/api/v1/jobs/" + (random.nextInt(3) > 0 ? own : foreign);
    var draft =
        switch (random.nextInt(17)) {
          case 0 -> new Draft("GET", "/api/v1/jobs");
          case 1 -> new Draft("GET", job);
          case 2 -> new Draft("GET", job + "/result");
          case 3 -> new Draft("GET", job + "/events");
          case 4 -> new Draft("GET", job + "/events/stream");
          case 5 -> new Draft("GET", job + "/explanation");
          case 6 -> new Draft("GET", "/api/v1/handlers");
          case 7 -> new Draft("GET", job + "/outputs");
          case 8 -> new Draft("GET", job + "/outputs/report.txt");
          case 9 -> new Draft("POST", job + "/cancel");
          case 10 -> new Draft("POST", job + "/retry");
          case 11 -> new Draft("GET", "/api/v1/schedules");
          case 12 -> new Draft("GET", "/api/v1/schedules/nightly");
          case 13 -> new Draft("GET", job + "/dependencies");
          case 14 -> new Draft("GET", "/api/v1/batches/" + own);
          case 15 -> new Draft("GET", job + "/tasks");
          default -> new Draft("DELETE", "/api/v1/jobs/" + foreign);
        };
    draft.headers.add("Host: test");
    draft.headers.add("Authorization: Bearer " + one(tokens));
    return draft;
  }

  private void change(Draft request) {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> request.query.add(parameter(request) + "=" + one(NASTY));
      case 3 -> {
        var twice = parameter(request) + "=1";
        request.query.add(twice);
        request.query.add(twice);
      }
      case 4, 5 -> request.headers.add(one(HEADERS) + ": " + one(NASTY));
      case 6, 7 -> withBody(request);
      case 8 ->
          request.path =
              request
                  .path
                  .replace(own, one(NASTY))
                  .replace(foreign, one(NASTY))
                  .replace("nightly", one(NASTY));
      case 9 -> request.path += one(NASTY);
      case 10 ->
          request.method =
              one(
                  List.of(
                      "HEAD", "PUT", "PATCH", "get", "FOO", "TRACE", "OPTIONS", "CONNECT", "\0"));
      default -> request.noise = 1 + random.nextInt(4);
    }
  }

  /** Mostly one that is taken there, so that its value is looked at. */
  private String parameter(Draft request) {
    return one(random.nextInt(5) == 0 || request.takes().isEmpty() ? PARAMETERS : request.takes());
  }

  private void withBody(Draft request) {
    request.body = one(BODIES);
    request.headers.add("Content-Length: " + request.body.length());
    request.headers.add(
        "Content-Type: "
            + one(
                List.of(
                    "application/json",
                    "application/json; charset=utf-8",
                    "application/json; charset=utf-16",
                    "application/xml",
                    "text/plain",
                    "multipart/form-data; boundary=x",
                    "application/x-www-form-urlencoded",
                    one(NASTY))));
  }

  private <T> T one(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  /** A request that is being made. */
  private static final class Draft {

    private final List<String> query = new ArrayList<>();
    private final List<String> headers = new ArrayList<>();
    private String method;
    private String path;
    private String body = "";
    private int noise;

    private Draft(String method, String path) {
      this.method = method;
      this.path = path;
    }

    private List<String> takes() {
      if (path.endsWith("/jobs")) {
        return PARAMETERS.subList(0, 8);
      }
      if (path.endsWith("/schedules")) {
        return List.of("cursor", "limit");
      }
      if (path.endsWith("/events") || path.endsWith("/stream")) {
        return List.of("after", "limit", "follow");
      }
      return method.equals("DELETE") ? List.of("force") : List.of("wait");
    }

    private Mutated mutated(Random random) {
      var target = query.isEmpty() ? path : path + "?" + String.join("&", query);
      var head =
          "%s %s HTTP/1.1\r\n%s\r\n\r\n".formatted(method, target, String.join("\r\n", headers));
      var bytes = (head + body).getBytes(ISO_8859_1);
      for (var i = 0; i < noise; i++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      return new Mutated(method, new String(bytes, ISO_8859_1), noise > 0);
    }
  }

  /**
   * A request.
   *
   * @param method that it has, unless noise changed it
   * @param text each character a byte
   * @param noisy whether bytes of it were changed at random
   */
  record Mutated(String method, String text, boolean noisy) {

    byte[] bytes() {
      return text.getBytes(ISO_8859_1);
    }

    /** Whether the server may take it for no request, or for one that is not whole. */
    boolean mayBeMetWithSilence() {
      return noisy
          || text.contains("Content-Length: ")
          || text.contains("Transfer-Encoding: ")
          || text.contains("Connection: ");
    }

    String shown() {
      return text.length() > 2_000 ? text.substring(0, 2_000) : text;
    }
  }
}
