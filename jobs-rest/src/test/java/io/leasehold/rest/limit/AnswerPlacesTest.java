package io.leasehold.rest.limit;

import static io.leasehold.rest.stack.RestStack.ACME;
import static io.leasehold.rest.stack.RestStack.GLOBEX;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import io.leasehold.rest.stack.Gate;
import io.leasehold.rest.stack.RawHttp;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AnswerPlacesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private final AnswerPlaces places = new AnswerPlaces(2, Duration.ofMinutes(1));

  @Test
  void areSeparateForEachTenant() throws InterruptedException {
    takeOfAcme();
    takeOfAcme();

    try (var place = places.take(RestStack.caller(GLOBEX))) {
      assertThat(place).isNotNull();
    }
  }

  @Test
  void areWaitedForAndThenRefused() throws InterruptedException {
    var impatient = new AnswerPlaces(1, Duration.ofMillis(1));
    impatient.take(RestStack.caller(ACME));

    assertThatThrownBy(() -> impatient.take(RestStack.caller(ACME)))
        .isInstanceOfSatisfying(
            RequestRefusal.class,
            refusal -> assertThat(refusal.problem()).isEqualTo(Problem.TOO_MANY_REQUESTS));
  }

  @Test
  void areTakenByWaitingRequests() throws InterruptedException {
    var first = takeOfAcme();
    takeOfAcme();
    var waiting = new AtomicReference<Place>();
    Thread.startVirtualThread(() -> waiting.set(takeOfAcme()));

    first.close();

    await().until(() -> waiting.get() != null);
  }

  @Test
  void areFreedOnce() throws InterruptedException {
    var impatient = new AnswerPlaces(1, Duration.ofMillis(1));
    var place = impatient.take(RestStack.caller(ACME));

    place.close();
    place.close();

    impatient.take(RestStack.caller(ACME));
    assertThatThrownBy(() -> impatient.take(RestStack.caller(ACME)))
        .isInstanceOf(RequestRefusal.class);
  }

  @Test
  void areRemovedWithTheLastRequestOfATenant() throws InterruptedException {
    var one = takeOfAcme();
    var other = places.take(RestStack.caller(GLOBEX));
    assertThat(places.count()).isEqualTo(2);

    one.close();
    other.close();

    assertThat(places.count()).isZero();
  }

  @Test
  void areHeldUntilTheClientHasReadAndNotByStreams() throws IOException {
    try (var stack =
        RestStack.on(database, config -> config.limits(config.limits().answersPerTenant(1)))) {
      var id =
          stack.done(
              ACME,
              (job, name) -> {
                for (var i = 0; i < 16; i++) {
                  job.event("log", Map.of("text", "x".repeat(60_000)));
                }
                return "told";
              });
      var gate = new Gate();
      var running = stack.submit(ACME, gate);
      var acme = stack.client(ACME);
      try (var followed = acme.stream("/api/v1/jobs/%s/events?follow=true".formatted(running));
          var unread = RawHttp.reluctantTo(stack)) {
        assertThat(acme.get("/api/v1/handlers").status()).isEqualTo(200);

        var request =
            "GET /api/v1/jobs/%s/events?limit=200 HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer %s\r\n\r\n"
                .formatted(id, stack.issuer().token(ACME));
        unread.send(request.repeat(20).getBytes(ISO_8859_1));

        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> acme.get("/api/v1/handlers").problem().equals("too-many-requests"));
        assertThat(stack.client(GLOBEX).get("/api/v1/handlers").status()).isEqualTo(200);
        assertThat(followed.end()).isEmpty();
      }
      gate.open();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> acme.get("/api/v1/handlers").status() == 200);
    }
  }

  private Place takeOfAcme() {
    try {
      return places.take(RestStack.caller(ACME));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
