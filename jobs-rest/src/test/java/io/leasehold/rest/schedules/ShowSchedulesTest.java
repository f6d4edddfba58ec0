package io.leasehold.rest.schedules;

import static io.leasehold.rest.stack.RestStack.ACME;
import static io.leasehold.rest.stack.RestStack.GLOBEX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.rest.stack.Answer;
import io.leasehold.rest.stack.ApiClient;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.rest.stack.Works;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShowSchedulesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration MOST = Duration.ofSeconds(30);

  static RestStack stack;

  private final TenantId tenant = new TenantId(UUID.randomUUID());

  @BeforeAll
  static void start() {
    stack = RestStack.on(database);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  private ApiClient client() {
    return stack.client(tenant);
  }

  private void put(String name, String cron) {
    var work = stack.works().of((job, input) -> "done");
    var request = ScheduleRequest.of(name, cron, Works.TYPE.request(work).priority(3));
    stack.schedules().put(RestStack.caller(tenant), request.zone(ZoneId.of("Europe/Berlin")));
  }

  private Answer show(String name) {
    return client().get("/api/v1/schedules/" + name);
  }

  private static List<String> names(Answer page) {
    return StreamSupport.stream(page.json().path("schedules").spliterator(), false)
        .map(it -> it.path("name").asString())
        .toList();
  }

  @Test
  void showsAScheduleWithItsNextSlots() {
    put("nightly", "30 2 * * *");

    var shown = show("nightly");

    assertThat(shown.status()).isEqualTo(200);
    assertThat(shown.word("state")).isEqualTo("active");
    assertThat(shown.word("cron")).isEqualTo("30 2 * * *");
    assertThat(shown.word("zone")).isEqualTo("Europe/Berlin");
    assertThat(shown.word("jitter")).isEqualTo("PT0S");
    assertThat(shown.word("missed")).isEqualTo("once");
    assertThat(shown.json().path("priority").asInt()).isEqualTo(3);
    assertThat(shown.json().path("next_slots")).hasSize(10);
    assertThat(shown.json().path("next_slots").path(0).asString()).isEqualTo(shown.word("next_at"));
    assertThat(shown.json().has("last_job_id")).isFalse();
  }

  @Test
  void showsTheLastSlotAndItsJob() {
    put("often", "* * * * * *");

    await().atMost(MOST).until(() -> show("often").json().has("last_job_id"));

    var shown = show("often");
    var id = JobId.of(shown.word("last_job_id"));
    assertThat(stack.jobs().find(RestStack.caller(tenant), id)).isPresent();
    assertThat(
            client().get("/api/v1/jobs?correlation_id=schedule:often&limit=1").json().path("jobs"))
        .hasSize(1);
    assertThat(shown.word("last_slot_at")).isNotEmpty();
  }

  @Test
  void showsPausedSchedules() throws SQLException {
    put("paused", "@daily");
    put("broken", "* * * * * *");
    stack.schedules().pause(RestStack.caller(tenant), "paused");
    try (var administrator = database.connectAsAdministrator();
        var statement = administrator.createStatement()) {
      statement.execute(
          "UPDATE leasehold.schedule SET cron = 'often', revision = revision + 1"
              + " WHERE name = 'broken'");
    }

    await().atMost(MOST).until(() -> show("broken").word("state").equals("aside"));

    assertThat(show("broken").word("error")).contains("cron must have 5 fields");
    assertThat(show("paused").word("state")).isEqualTo("paused");
    assertThat(show("paused").word("paused_at")).isNotEmpty();
    assertThat(show("paused").json().path("next_slots")).isEmpty();
  }

  @Test
  void listsThePageAfterACursor() {
    for (var name : List.of("c", "a", "e", "b", "d")) {
      put(name, "@daily");
    }
    var seen = new ArrayList<String>();
    var next = "";
    do {
      var page =
          client().get("/api/v1/schedules?limit=2" + (next.isEmpty() ? "" : "&cursor=" + next));
      seen.addAll(names(page));
      next = page.word("next");
    } while (!next.isEmpty());

    assertThat(seen).containsExactly("a", "b", "c", "d", "e");
    assertThat(names(client().get("/api/v1/schedules"))).hasSize(5);
  }

  @Test
  void neverShowsTheInput() {
    var secret = "secret" + UUID.randomUUID();
    stack
        .schedules()
        .put(
            RestStack.caller(tenant),
            ScheduleRequest.of("quiet", "@yearly", Works.TYPE.request(secret)));

    assertThat(show("quiet").body()).doesNotContain(secret);
    assertThat(client().get("/api/v1/schedules").body()).contains("quiet").doesNotContain(secret);
  }

  @Test
  void showsNoForeignSchedules() {
    put("own", "@daily");

    for (var other : List.of(ACME, GLOBEX)) {
      assertThat(stack.client(other).get("/api/v1/schedules/own").problem()).isEqualTo("not-found");
      assertThat(names(stack.client(other).get("/api/v1/schedules"))).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cursor=A", "cursor=", "cursor=a%2Fb", "limit=0", "limit=201", "after=a"})
  void refusesOtherParameters(String query) {
    assertThat(client().get("/api/v1/schedules?" + query).problem()).isEqualTo("parameter-refused");
  }
}
