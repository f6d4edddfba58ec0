package io.leasehold.rest.jobs;

import static io.leasehold.rest.stack.RestStack.ACME;
import static io.leasehold.rest.stack.RestStack.GLOBEX;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jobs.SecurityContext;
import io.leasehold.rest.stack.Answer;
import io.leasehold.rest.stack.ApiClient;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.rest.stack.Works;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListJobsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  static RestStack stack;
  static ApiClient acme;

  @BeforeAll
  static void start() {
    stack = RestStack.on(database);
    acme = stack.client(ACME);
    for (var i = 0; i < 7; i++) {
      later("list");
    }
    stack.submit(GLOBEX, (job, name) -> "theirs");
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void pagesAreStableWhileJobsAreSubmitted() {
    var all = ids(acme.get("/api/v1/jobs?correlation_id=list"));
    var seen = new ArrayList<String>();
    var next = "";
    do {
      var page =
          acme.get(
              "/api/v1/jobs?correlation_id=list&limit=3"
                  + (next.isEmpty() ? "" : "&cursor=" + next));
      seen.addAll(ids(page));
      next = page.word("next");
      later("list");
    } while (!next.isEmpty());

    assertThat(seen).isEqualTo(all);
  }

  @Test
  void appliesAllFilters() {
    var done = stack.done(ACME, (job, name) -> "done").toString();
    var query =
        "/api/v1/jobs?handler=%s&queue=works&created_after=1970-01-01T00:00:00Z&created_before=2999-01-01T00:00:00%%2B01:00"
            .formatted(Works.TYPE.handler());

    assertThat(ids(acme.get(query + "&status=succeeded"))).contains(done);
    assertThat(ids(acme.get(query + "&status=failed"))).isEmpty();
    assertThat(ids(acme.get(query + "&status=succeeded&correlation_id=list"))).isEmpty();
  }

  @Test
  void refusesACursorOfOtherFilters() {
    var next = acme.get("/api/v1/jobs?correlation_id=list&limit=1").word("next");

    assertThat(acme.get("/api/v1/jobs?correlation_id=list&limit=2&cursor=" + next).status())
        .isEqualTo(200);
    assertThat(acme.get("/api/v1/jobs?cursor=" + next).problem()).isEqualTo("parameter-refused");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit=0",
        "limit=201",
        "limit=x",
        "limit=005",
        "limit=%2B5",
        "limit=%D9%A5",
        "limit=99999999999",
        "limit=",
        "limit=1&limit=2",
        "status=done",
        "handler=x",
        "queue=A",
        "queue=%00",
        "correlation_id=",
        "correlation_id=%c3%28",
        "created_after=yesterday",
        "created_after=1969-12-31T23:59:59Z",
        "created_before=%2B1000000000-12-31T23:59:59Z",
        "cursor=x",
        "cursor=AAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "tenant_id=00000000-0000-4000-8000-0000000000b2",
        "=",
        "limit=1&"
      })
  void refusesUnknownParameters(String query) {
    assertThat(acme.get("/api/v1/jobs?" + query).problem()).isEqualTo("parameter-refused");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "limt=1 | the parameter 'limt' is unknown: allowed are correlation_id,",
        "%3Cb%3E%22%5C%E2%80%AE=1 | the parameter 'U+003CbU+003EU+0022U+005CU+202E' is unknown",
        "= | the parameter '' is unknown",
        "limit=1&limit=2 | limit is given more than once",
        "correlation_id=%c3%28 | correlation_id is not well-formed: it must be percent-encoded",
        "%ff=1 | the name of a parameter is not well-formed: it must be percent-encoded",
        "limit=0 | limit must be 1 to 200"
      })
  void aRefusalNamesTheParameter(String query, String detail) {
    assertThat(acme.get("/api/v1/jobs?" + query).word("detail")).startsWith(detail);
  }

  @Test
  void aRefusalTruncatesALongName() {
    var answer = acme.get("/api/v1/jobs?" + "x".repeat(4_000) + "=1");

    assertThat(answer.word("detail"))
        .startsWith("the parameter '" + "x".repeat(40) + "...' is unknown")
        .hasSizeLessThan(300);
  }

  private static void later(String correlation) {
    stack
        .jobs()
        .submit(
            SecurityContext.of("ann", ACME).correlationId(correlation).build(),
            Works.TYPE.request("later").delay(Duration.ofHours(1)));
  }

  private static List<String> ids(Answer page) {
    return StreamSupport.stream(page.json().path("jobs").spliterator(), false)
        .map(job -> job.path("job_id").asString(""))
        .toList();
  }
}
