package io.leasehold.rest.server;

import static io.leasehold.rest.stack.RestStack.ACME;
import static io.leasehold.rest.stack.RestStack.ADMIN;
import static io.leasehold.rest.stack.RestStack.GLOBEX;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.rest.stack.Answer;
import io.leasehold.rest.stack.ApiDocument;
import io.leasehold.rest.stack.Proof;
import io.leasehold.rest.stack.RawHttp;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.rest.stack.Works;
import io.leasehold.testkit.TestDatabase;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Requests that are wrong in every way: each is answered at once, and nothing inside is shown. */
class MutatedRequestsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final int SOME = 1_500;
  private static final int PROOF = 10_000;

  /** Names of classes and packages, words of SQL, names of what the database has. */
  private static final Pattern INSIDE =
      Pattern.compile(
          "(?i)exception|\\bjava|javax?\\.|jakarta|org\\.|com\\.|kotlin|io\\.leasehold|jetty|javalin"
              + "|jackson|jooq|postgres|psql|sqlstate|\\bselect\\b|\\binsert\\b|\\bwhere\\b|\\brelation\\b|constraint|syntax"
              + " error|job_status_v|list_jobs|schedule_v|stack ?trace|\\.java:");

  static RestStack stack;

  @BeforeAll
  static void start() {
    stack = RestStack.on(database);
    var nightly = ScheduleRequest.of("nightly", "@daily", Works.TYPE.request("nothing"));
    stack.schedules().put(RestStack.caller(ACME), nightly);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void areAnsweredWithProblems() throws IOException {
    var seed = Long.getLong("leasehold.seed", new Random().nextLong());
    var count = Proof.times(SOME, PROOF);
    var requests =
        new Mutations(
            new Random(seed),
            stack
                .done(
                    ACME,
                    (job, name) -> job.output("report.txt", "a/b", out -> out.write(1)).name())
                .toString(),
            stack.done(GLOBEX, (job, name) -> "done").toString(),
            stack.issuer().token(ACME),
            stack.issuer().token(ACME, ADMIN));
    var answered = 0;
    for (var i = 0; i < count; i++) {
      var request = requests.next();
      var what = "seed %d, request %d:%n%s".formatted(seed, i, request.shown());
      try {
        check(what, request);
        answered++;
      } catch (EOFException | SocketException e) {
        // What is no request at all may be met with silence.
        assertThat(request.mayBeMetWithSilence()).as(what + " " + e).isTrue();
      } catch (IOException e) {
        throw new AssertionError(what, e);
      }
    }
    assertThat(answered).isGreaterThan(count * 9 / 10);
    assertThat(stack.client(ACME).get("/api/v1/jobs").status()).isEqualTo(200);
  }

  private static void check(String what, Mutations.Mutated request) throws IOException {
    try (var connection = RawHttp.to(stack)) {
      connection.send(request.bytes());
      connection.endOutput();
      var answer = connection.read(request.method());
      assertThat(answer.status()).as(what + answer).isBetween(200, 499);
      if (answer.status() >= 400) {
        checkProblem(what, request, answer);
      }
    }
  }

  private static void checkProblem(String what, Mutations.Mutated request, Answer answer) {
    assertThat(answer.header("Content-Type")).as(what).isEqualTo("application/problem+json");
    assertThat(INSIDE.matcher(answer.headers().map() + answer.body()).find())
        .as(what + answer)
        .isFalse();
    if (!request.method().equals("HEAD")) {
      ApiDocument.CURRENT.check("GET", answer.status() == 401 ? "/api/v1/jobs" : "/none", answer);
    }
  }
}
