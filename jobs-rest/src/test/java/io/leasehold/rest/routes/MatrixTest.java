package io.leasehold.rest.routes;

import static io.leasehold.rest.stack.RestStack.ACME;
import static io.leasehold.rest.stack.RestStack.ADMIN;
import static io.leasehold.rest.stack.RestStack.GLOBEX;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.Key;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.rest.http.Access;
import io.leasehold.rest.http.Route;
import io.leasehold.rest.stack.Answer;
import io.leasehold.rest.stack.RawHttp;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.rest.stack.Works;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every route with every verb, for every kind of job or schedule and every kind of caller. */
class MatrixTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final List<String> VERBS =
      List.of(
          "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY", "COPY",
          "get", "FOO-BAR");

  /** Of a job that has succeeded. */
  private static final Map<String, Integer> OWN =
      Map.of(
          "POST /api/v1/jobs/{id}/cancel", 409,
          "POST /api/v1/jobs/{id}/retry", 409,
          "DELETE /api/v1/jobs/{id}", 204);

  private static final String FILE = "report.txt";
  private static final String OWN_SCHEDULE = "own";
  private static final String FOREIGN_SCHEDULE = "foreign";

  private static final int PAIRS = 2_000;

  static RestStack stack;
  static List<Route> routes;
  static String own;
  static String foreign;
  static String ownBatch;
  static String foreignBatch;

  enum Kind {
    OWN,
    FOREIGN,
    ABSENT,
    MALFORMED
  }

  enum Who {
    ADMIN,
    USER,
    ANONYMOUS
  }

  @BeforeAll
  static void start() {
    stack = RestStack.on(database);
    routes = stack.inside(new Key<List<Route>>() {});
    own = done(ACME);
    foreign = done(GLOBEX);
    put(ACME, OWN_SCHEDULE);
    put(GLOBEX, FOREIGN_SCHEDULE);
    ownBatch = stack.batch(ACME, (job, name) -> "done").toString();
    foreignBatch = stack.batch(GLOBEX, (job, name) -> "done").toString();
  }

  private static void put(TenantId tenant, String name) {
    var request = ScheduleRequest.of(name, "@yearly", Works.TYPE.request("nothing"));
    stack.schedules().put(RestStack.caller(tenant), request);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  private static String done(TenantId tenant) {
    return stack
        .done(tenant, (job, name) -> job.output(FILE, "text/plain", out -> out.write('1')).name())
        .toString();
  }

  @Test
  void isAnsweredAsItShouldBe() throws IOException {
    var paths = routes.stream().map(Route::path).collect(Collectors.toSet());
    for (var path : paths) {
      for (var verb : VERBS) {
        for (var kind : Kind.values()) {
          for (var who : Who.values()) {
            isAnsweredAsItShouldBe(path, verb, kind, who);
          }
        }
      }
    }
  }

  @Test
  void foreignAndAbsentAnswersAreEqual() throws IOException {
    for (var route : routes) {
      if (route.path().contains("{")) {
        for (var method : methods(route).toList()) {
          var foreign = ask(route.path(), method, Kind.FOREIGN, Who.ADMIN);
          var absent = ask(route.path(), method, Kind.ABSENT, Who.ADMIN);

          assertThat(withoutTrace(foreign)).as(route.toString()).isEqualTo(withoutTrace(absent));
        }
      }
    }
  }

  @Test
  void headHasTheHeadersOfGet() throws IOException {
    for (var route : routes) {
      if (route.method().equals("GET")) {
        var whole = ask(route.path(), "GET", Kind.OWN, Who.ADMIN).headers().map();
        var headers = ask(route.path(), "HEAD", Kind.OWN, Who.ADMIN).headers().map();

        assertThat(headers.keySet()).as(route.toString()).isEqualTo(whole.keySet());
        assertThat(headers.get("Content-Type")).isEqualTo(whole.get("Content-Type"));
      }
    }
  }

  @Test
  void foreignAndAbsentAnswersTakeEquallyLong() throws IOException {
    var paths = new String[] {path(Kind.FOREIGN), path(Kind.ABSENT)};
    var token = "Authorization: Bearer " + stack.issuer().token(ACME);
    var times = new long[2][PAIRS];
    try (var connection = RawHttp.to(stack)) {
      for (var i = -PAIRS / 4; i < PAIRS; i++) {
        for (var which = 0; which < 2; which++) {
          // Each goes first as often as the other.
          var turn = (which + i) & 1;
          var begun = System.nanoTime();
          var answer = connection.ask("GET", paths[turn], token);
          if (i >= 0) {
            times[turn][i] = System.nanoTime() - begun;
          }
          assertThat(answer.status()).isEqualTo(404);
        }
      }
    }

    var foreign = median(times[0]);
    var absent = median(times[1]);
    assertThat(Math.abs(foreign - absent))
        .as("median of %d ns and of %d ns", foreign, absent)
        .isLessThan(Math.max(200_000, absent / 20));
  }

  private static void isAnsweredAsItShouldBe(String path, String verb, Kind kind, Who who)
      throws IOException {
    var taken =
        routes.stream().filter(route -> route.path().equals(path)).collect(Collectors.toSet());
    var answer = ask(path, verb, kind, who);
    var what = "%s %s of %s by %s: %s".formatted(verb, path, kind, who, answer);
    assertThat(answer.status()).as(what).isEqualTo(expected(taken, path, verb, kind, who));
    if (answer.status() == 204) {
      own = done(ACME);
    }
    if (answer.status() == 405) {
      assertThat(answer.header("Allow").split(", "))
          .as(what)
          .containsExactlyInAnyOrderElementsOf(
              taken.stream().flatMap(MatrixTest::methods).toList());
    }
    assertThat(answer.headers().firstValue("Server")).as(what).isEmpty();
    assertThat(answer.header("X-Content-Type-Options")).as(what).isEqualTo("nosniff");
    assertThat(answer.header("Cache-Control")).as(what).isEqualTo("no-store");
  }

  /** What can be got can be asked for by its headers alone. */
  private static Stream<String> methods(Route route) {
    return route.method().equals("GET") ? Stream.of("GET", "HEAD") : Stream.of(route.method());
  }

  private static int expected(Set<Route> taken, String path, String verb, Kind kind, Who who) {
    var route =
        taken.stream().filter(candidate -> methods(candidate).anyMatch(verb::equals)).findFirst();
    if (route.isEmpty()) {
      return 405;
    }
    if (route.get().access() == Access.OPEN) {
      return 200;
    }
    if (who == Who.ANONYMOUS) {
      return 401;
    }
    if (route.get().access() == Access.ADMIN && who == Who.USER) {
      return 403;
    }
    if (!path.contains("{")) {
      return 200;
    }
    return switch (kind) {
      case OWN -> OWN.getOrDefault(route.get().toString(), 200);
      case FOREIGN, ABSENT -> 404;
      case MALFORMED -> path.contains("{id}") ? 400 : 404;
    };
  }

  private static Answer ask(String path, String verb, Kind kind, Who who) throws IOException {
    var token = tokenOf(who).map(it -> new String[] {"Authorization: Bearer " + it});
    try (var connection = RawHttp.to(stack)) {
      return connection.ask(
          verb,
          path.replace("{id}", idOf(path, kind))
              .replace("{name}", path.contains("{id}") ? FILE : nameOf(kind)),
          token.orElseGet(() -> new String[0]));
    }
  }

  private static String path(Kind kind) {
    var path = "/api/v1/jobs/";
    return path + idOf(path, kind);
  }

  private static String idOf(String path, Kind kind) {
    var isBatch = path.startsWith("/api/v1/batches/");
    return switch (kind) {
      case OWN -> isBatch ? ownBatch : own;
      case FOREIGN -> isBatch ? foreignBatch : foreign;
      case ABSENT -> UUID.randomUUID().toString();
      case MALFORMED -> "00000000-0000-7000-8000-00000000000";
    };
  }

  private static String nameOf(Kind kind) {
    return switch (kind) {
      case OWN -> OWN_SCHEDULE;
      case FOREIGN -> FOREIGN_SCHEDULE;
      case ABSENT -> "absent";
      case MALFORMED -> "No-Name";
    };
  }

  private static Optional<String> tokenOf(Who who) {
    return switch (who) {
      case ADMIN -> Optional.of(stack.issuer().token(ACME, ADMIN));
      case USER -> Optional.of(stack.issuer().token(ACME, "jobs.reader"));
      case ANONYMOUS -> Optional.empty();
    };
  }

  private static String withoutTrace(Answer answer) {
    var headers = new TreeMap<>(answer.headers().map());
    headers.remove("Trace-Id");
    headers.remove("Date");
    return "%d %s %s"
        .formatted(answer.status(), headers, answer.body().replace(answer.header("Trace-Id"), ""));
  }

  private static long median(long[] times) {
    Arrays.sort(times);
    return times[times.length / 2];
  }
}
