package io.leasehold.rest.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jobs.JobStatus;
import io.leasehold.rest.stack.LiveStream;
import io.leasehold.rest.stack.Works;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A client that calls as any tenant, and asks for any tenant's jobs. The answer to a question about
 * another tenant's job must be as if there were no such job. Belongs to one thread.
 */
final class RandomCalls {

  /** How often each thing was done, and how often the caller saw a word of its own then. */
  static final class Seen {

    private final Map<String, Integer> done = new ConcurrentHashMap<>();
    private final Map<String, Integer> own = new ConcurrentHashMap<>();

    Map<String, Integer> done() {
      return done;
    }

    Map<String, Integer> own() {
      return own;
    }

    private void add(String route, boolean sawOwn) {
      done.merge(route, 1, Integer::sum);
      own.merge(route, sawOwn ? 1 : 0, Integer::sum);
    }
  }

  /**
   * A stream that is still read.
   *
   * @param route it came by
   * @param reader who reads it
   * @param stream it
   */
  private record Open(String route, Tenant reader, LiveStream stream) {}

  private static final int STREAMS = 8;
  private static final List<String> ROUTES =
      List.of(
          "GET /api/v1/jobs",
          "GET /api/v1/jobs",
          "GET /api/v1/jobs",
          "GET /api/v1/jobs/{id}",
          "GET /api/v1/jobs/{id}",
          "GET /api/v1/jobs/{id}",
          "GET /api/v1/jobs/{id}/result",
          "GET /api/v1/jobs/{id}/result",
          "GET /api/v1/jobs/{id}/explanation",
          "GET /api/v1/jobs/{id}/outputs",
          "GET /api/v1/jobs/{id}/outputs/{name}",
          "GET /api/v1/jobs/{id}/outputs",
          "GET /api/v1/jobs/{id}/outputs/{name}",
          "GET /api/v1/jobs/{id}/dependencies",
          "GET /api/v1/batches/{id}",
          "GET /api/v1/jobs/{id}/tasks",
          "GET /api/v1/jobs/{id}/events",
          "GET /api/v1/jobs/{id}/events",
          "GET /api/v1/jobs/{id}/events",
          "GET /api/v1/jobs/{id}/events/stream",
          "POST /api/v1/jobs/{id}/cancel",
          "POST /api/v1/jobs/{id}/retry",
          "DELETE /api/v1/jobs/{id}",
          "GET /api/v1/schedules",
          "GET /api/v1/schedules/{name}",
          "GET /api/v1/schedules/{name}",
          "GET /api/v1/handlers",
          "GET /healthz",
          "GET /readyz",
          "GET /metrics",
          "GET /openapi.yaml");

  private final Random random;
  private final List<Tenant> tenants;
  private final Marks marks;
  private final Seen seen;
  private final Deque<Open> streams = new ArrayDeque<>();

  RandomCalls(long seed, List<Tenant> tenants, Marks marks, Seen seen) {
    this.random = new Random(seed);
    this.tenants = tenants;
    this.marks = marks;
    this.seen = seen;
  }

  /** Calls so often. */
  void call(int count) {
    for (var i = 0; i < count; i++) {
      if (random.nextInt(20) == 0) {
        any(tenants).submit(any(List.of(Trick.values())));
      }
      var reader = any(tenants);
      var owner = random.nextInt(3) == 0 ? any(tenants) : reader;
      call(any(ROUTES), reader, owner);
    }
    while (!streams.isEmpty()) {
      leaveOldest();
    }
  }

  private void call(String route, Tenant reader, Tenant owner) {
    switch (route) {
      case "GET /api/v1/schedules" ->
          ask(route, reader, owner, any(List.of("", "?limit=1", "?cursor=" + owner.canary())));
      case "GET /api/v1/schedules/{name}" -> schedule(route, reader, owner);
      case "GET /api/v1/jobs" -> list(reader, owner);
      case "GET /api/v1/jobs/{id}" ->
          ask(route, reader, owner, random.nextInt(9) == 0 ? "?wait=1s" : "");
      case "GET /api/v1/jobs/{id}/events" -> events(reader, owner);
      case "GET /api/v1/jobs/{id}/events/stream" ->
          follow(route, reader, owner, any(List.of("", "?after=0.0", "?after=999999.1")));
      case "DELETE /api/v1/jobs/{id}" -> ask(route, reader, owner, any(List.of("", "?force=true")));
      default -> ask(route, reader, owner, "");
    }
  }

  private void list(Tenant reader, Tenant owner) {
    var path =
        switch (random.nextInt(7)) {
          case 0 -> "?status=" + any(List.of(JobStatus.values())).word();
          case 1 -> "?correlation_id=" + owner.canary();
          case 2 -> "?queue=works&handler=" + encoded(Works.TYPE.handler().value());
          case 3 -> "?created_after=2020-01-01T00:00:00Z&created_before=2100-01-01T00:00:00Z";
          case 4 -> "?status=failed&correlation_id=%s&queue=works".formatted(owner.canary());
          case 5 -> "?limit=" + any(List.of(1, 5, 200));
          default -> "";
        };
    // Where another's list goes on is a place like any other, and shows nothing of its jobs.
    var whole = random.nextInt(4) == 0 ? owner.nextPage() : "/api/v1/jobs" + path;
    var answer = reader.client().get(whole);
    assertThat(answer.status()).as(whole).isEqualTo(200);
    check("GET /api/v1/jobs", reader, owner.canary(), answer.headers().map() + answer.body());
    if (!answer.word("next").isEmpty()) {
      var plain = whole.replaceFirst("[?&]cursor=[^&]*", "");
      reader.nextPage(
          plain + (plain.contains("?") ? "&" : "?") + "cursor=" + encoded(answer.word("next")));
    }
  }

  private void schedule(String route, Tenant reader, Tenant owner) {
    var path = "/api/v1/schedules/" + owner.canary();
    var answer = reader.client().get(path);
    var text = answer.headers().map() + answer.body();
    check(route, reader, owner, owner.canary(), answer.status(), text);
  }

  private void events(Tenant reader, Tenant owner) {
    var route = "GET /api/v1/jobs/{id}/events";
    switch (random.nextInt(4)) {
      case 0 -> ask(route, reader, owner, "?limit=3");
      case 1 -> ask(route, reader, owner, "?after=0.0");
      case 2 -> follow(route, reader, owner, "?follow=true");
      default -> {
        var job = owner.anyJob(random);
        var answer =
            reader
                .client()
                .header("Accept", "application/x-ndjson")
                .get("/api/v1/jobs/%s/events".formatted(job));
        check(route, reader, owner, job, answer.status(), answer.headers().map() + answer.body());
      }
    }
  }

  private void ask(String route, Tenant reader, Tenant owner, String query) {
    var job =
        reader == owner || random.nextInt(4) > 0 ? owner.anyJob(random) : owner.kept().toString();
    var method = route.replaceFirst(" .*", "");
    var id =
        switch (route) {
          case "GET /api/v1/batches/{id}" -> owner.batch().toString();
          case "GET /api/v1/jobs/{id}/dependencies" -> owner.waiting().toString();
          case "GET /api/v1/jobs/{id}/tasks" -> owner.planned().toString();
          default -> job;
        };
    var path =
        route.replaceFirst(".* ", "").replace("{id}", id).replace("{name}", owner.canary()) + query;
    var answer = reader.client().send(method, path, "");
    check(
        route,
        reader,
        route.contains("{id}") ? owner : reader,
        id,
        answer.status(),
        answer.headers().map() + answer.body());
  }

  private void follow(String route, Tenant reader, Tenant owner, String query) {
    // Most jobs are over soon: what is followed while it happens has to be new.
    var job = random.nextInt(4) == 0 ? owner.anyJob(random) : owner.submit(Trick.LINGERS);
    var path = route.replaceFirst(".* ", "").replace("{id}", job) + query;
    var stream = reader.client().stream(path);
    assertStatus(route, reader, owner, stream.status());
    streams.add(new Open(route, reader, stream));
    if (streams.size() > STREAMS) {
      leaveOldest();
    }
  }

  private void leaveOldest() {
    var oldest = streams.remove();
    oldest.stream().close();
    assertThat(oldest.stream().end()).isIn("", "cut", "whole");
    check(oldest.route(), oldest.reader(), "", String.join("\n", oldest.stream().lines()));
  }

  private void check(
      String route, Tenant reader, Tenant owner, String asked, int status, String text) {
    assertStatus(route, reader, owner, status);
    check(route, reader, asked, text);
  }

  private static void assertStatus(String route, Tenant reader, Tenant owner, int status) {
    if (reader != owner) {
      assertThat(status).as(route).isEqualTo(404);
    }
    assertThat(status).as(route).isLessThan(500);
  }

  private void check(String route, Tenant reader, String asked, String text) {
    marks.check(reader, asked, text);
    seen.add(route, reader.isIn(text));
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
