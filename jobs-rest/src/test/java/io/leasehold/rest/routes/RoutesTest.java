package io.leasehold.rest.routes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.Key;
import io.leasehold.rest.http.Access;
import io.leasehold.rest.http.Route;
import io.leasehold.rest.stack.ApiDocument;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.testkit.TestDatabase;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RoutesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  static RestStack stack;
  static List<Route> routes;

  @BeforeAll
  static void start() {
    stack = RestStack.on(database);
    routes = stack.inside(new Key<List<Route>>() {});
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void areThoseOfTheDocument() {
    assertThat(routes.stream().map(Route::toString).collect(Collectors.toSet()))
        .isEqualTo(ApiDocument.CURRENT.operations());
  }

  @Test
  void takeTheParametersOfTheDocument() {
    assertThat(routes)
        .allSatisfy(
            its ->
                assertThat(its.parameters())
                    .as(its.toString())
                    .isEqualTo(ApiDocument.CURRENT.parameters(its.method(), its.path(), "query")));
  }

  @Test
  void giveTheMediaTypesOfTheDocument() {
    assertThat(routes)
        .allSatisfy(
            its -> {
              var answers =
                  ApiDocument.CURRENT.operation(its.method(), its.path()).path("responses");
              assertThat(its.produces())
                  .as(its.toString())
                  .containsExactlyInAnyOrderElementsOf(
                      answers
                          .path(answers.has("200") ? "200" : "202")
                          .path("content")
                          .propertyNames());
            });
  }

  @Test
  void needATokenAsTheDocumentSays() {
    assertThat(routes)
        .allSatisfy(
            its -> {
              var operation = ApiDocument.CURRENT.operation(its.method(), its.path());
              assertThat(operation.has("security"))
                  .as(its.toString())
                  .isEqualTo(its.access() == Access.OPEN);
              assertThat(operation.path("tags").path(0).asString("").equals("commands"))
                  .as(its.toString())
                  .isEqualTo(its.access() == Access.ADMIN);
            });
  }

  @Test
  void withoutCommandsAreTheReads() {
    try (var reading = RestStack.on(database, its -> its.commandsOn(false))) {
      var admin = reading.client(RestStack.ACME, RestStack.ADMIN);
      var job = "/api/v1/jobs/00000000-0000-7000-8000-000000000000";

      assertThat(admin.post(job + "/cancel").status()).isEqualTo(404);
      assertThat(admin.post(job + "/retry").status()).isEqualTo(404);
      assertThat(admin.delete(job).header("Allow")).isEqualTo("GET, HEAD");
    }
  }

  @Test
  void withClosedMetricsNeedTheAdminForThem() {
    try (var closed = RestStack.on(database, its -> its.metricsOpen(false))) {
      assertThat(closed.client().get("/metrics").status()).isEqualTo(401);
      assertThat(closed.client(RestStack.ACME).get("/metrics").status()).isEqualTo(403);
      assertThat(closed.client(RestStack.ACME, RestStack.ADMIN).get("/metrics").status())
          .isEqualTo(200);
    }
  }
}
