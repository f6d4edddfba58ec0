package io.leasehold.rest.stream;

import static io.leasehold.rest.stack.RestStack.ACME;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.inject.Key;
import io.leasehold.rest.stack.RawHttp;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SlowReaderTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  @Test
  void isCutOff() throws IOException {
    try (var stack =
        RestStack.on(database, its -> its.limits(its.limits().slowAfter(Duration.ofSeconds(1))))) {
      var id =
          stack.done(
              ACME,
              (job, name) -> {
                for (var i = 0; i < 400; i++) {
                  job.event("log", Map.of("text", "x".repeat(60_000)));
                }
                return "told";
              });
      var open = stack.inside(Key.get(OpenStreams.class));
      try (var connection = RawHttp.to(stack)) {
        connection.send(
            """
            GET /api/v1/jobs/%s/events/stream HTTP/1.1\r
            Host: test\r
            Authorization: Bearer %s\r
            \r
            """
                .formatted(id, stack.issuer().token(ACME))
                .getBytes(ISO_8859_1));
        await().until(() -> open.count() == 1);

        await()
            .atMost(Duration.ofSeconds(10))
            .untilAsserted(() -> assertThat(open.count()).isZero());
      }
      assertThat(stack.client(ACME).get("/api/v1/jobs/" + id + "/events?limit=1").status())
          .isEqualTo(200);
    }
  }
}
