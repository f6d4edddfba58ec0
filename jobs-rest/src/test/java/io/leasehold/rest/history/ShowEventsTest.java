package io.leasehold.rest.history;

import static io.leasehold.rest.stack.RestStack.ACME;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.rest.stack.LiveStream;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ShowEventsTest {

  private static final int A_MEBIBYTE = 1 << 20;

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  static RestStack stack;

  @BeforeAll
  static void start() {
    stack = RestStack.on(database);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void pagesAreBoundedByBytes() {
    var path = pathOf(60, 60_000);
    var seen = new ArrayList<String>();
    var over = false;
    for (var next = ""; !over; ) {
      var page = stack.client(ACME).get(path + "?limit=200" + next);
      assertThat(page.body().length()).isBetween(60_000, A_MEBIBYTE + 10_000);
      page.json().path("events").forEach(event -> seen.add(event.path("cursor").asString()));
      next = "&after=" + page.word("next");
      over = page.json().path("over").asBoolean();
    }

    assertThat(seen).hasSizeGreaterThan(60).isEqualTo(downloaded(path));
  }

  @Test
  void pagesHaveTheRequestedNumberOfSmallEvents() {
    var path = pathOf(250, 10);

    var page = stack.client(ACME).get(path + "?limit=200");

    assertThat(page.json().path("events")).hasSize(200);
    assertThat(page.json().path("over").asBoolean()).isFalse();
  }

  private static String pathOf(int events, int bytes) {
    var id =
        stack.done(
            ACME,
            (job, name) -> {
              for (var i = 0; i < events; i++) {
                job.event("log", Map.of("text", "x".repeat(bytes)));
              }
              return "told";
            });
    return "/api/v1/jobs/%s/events".formatted(id);
  }

  private static List<String> downloaded(String path) {
    var all = stack.client(ACME).header("Accept", "application/x-ndjson").get(path);
    return all.body().lines().map(LiveStream::cursorOf).toList();
  }
}
