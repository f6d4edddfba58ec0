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
  void matchTheDocument() {
    assertThat(routes.stream().map(Route::toString).collect(Collectors.toSet()))
        .isEqualTo(ApiDocument.CURRENT.operations());
  }

  @Test
  void takeTheParametersOfTheDocument() {
    assertThat(routes)
        .allSatisfy(
            route ->
                assertThat(route.parameters())
                    .as(route.toString())
                    .isEqualTo(
                        ApiDocument.CURRENT.parameters(route.method(), route.path(), "query")));
  }

  @Test
  void haveTheMediaTypesOfTheDocument() {
    assertThat(routes)
        .allSatisfy(
            route -> {
              var answers =
                  ApiDocument.CURRENT.operation(route.method(), route.path()).path("responses");
              assertThat(route.produces())
                  .as(route.toString())
                  .containsExactlyInAnyOrderElementsOf(
                      answers
                          .path(answers.has("200") ? "200" : "202")
                          .path("content")
                          .propertyNames());
            });
  }

  @Test
  void requireATokenAsTheDocumentSays() {
    assertThat(routes)
        .allSatisfy(
            route -> {
              var operation = ApiDocument.CURRENT.operation(route.method(), route.path());
              assertThat(operation.has("security"))
                  .as(route.toString())
                  .isEqualTo(route.access() == Access.OPEN);
              assertThat(operation.path("tags").path(0).asString("").equals("commands"))
                  .as(route.toString())
                  .isEqualTo(route.access() == Access.ADMIN);
            });
  }

  @Test
  void withoutCommandsOnlyReadsRemain() {
    try (var reading = RestStack.on(database, config -> config.commandsOn(false))) {
      var admin = reading.client(RestStack.ACME, RestStack.ADMIN);
      var job = "/api/v1/jobs/00000000-0000-7000-8000-000000000000";

      assertThat(admin.post(job + "/cancel").status()).isEqualTo(404);
      assertThat(admin.post(job + "/retry").status()).isEqualTo(404);
      assertThat(admin.delete(job).header("Allow")).isEqualTo("GET, HEAD");
    }
  }

  @Test
  void closedMetricsRequireTheAdmin() {
    try (var closed = RestStack.on(database, config -> config.metricsOpen(false))) {
      assertThat(closed.client().get("/metrics").status()).isEqualTo(401);
      assertThat(closed.client(RestStack.ACME).get("/metrics").status()).isEqualTo(403);
      assertThat(closed.client(RestStack.ACME, RestStack.ADMIN).get("/metrics").status())
          .isEqualTo(200);
    }
  }
}
