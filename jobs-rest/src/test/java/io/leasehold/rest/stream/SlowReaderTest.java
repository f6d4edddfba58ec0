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

  private static final int EVENTS = 400;

  /** Of 60,000 bytes each: as many as fit into a portion. */
  private static final int READS_OF_ALL = EVENTS / 2;

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  @Test
  void isDisconnectedBeforeTheHistoryIsRead() throws IOException {
    try (var stack =
        RestStack.on(
            database, config -> config.limits(config.limits().slowAfter(Duration.ofSeconds(1))))) {
      var id =
          stack.done(
              ACME,
              (job, name) -> {
                for (var i = 0; i < EVENTS; i++) {
                  job.event("log", Map.of("text", "x".repeat(60_000)));
                }
                return "told";
              });
      var open = stack.inside(Key.get(OpenStreams.class));
      try (var connection = RawHttp.reluctantTo(stack)) {
        connection.send(
            """
            GET /api/v1/jobs/%s/events/stream HTTP/1.1\r
            Host: test\r
            Authorization: Bearer %s\r
            \r
            """
                .formatted(id, stack.issuer().token(ACME))
                .getBytes(ISO_8859_1));

        // By the limit of streams, and not because the connection was idle for too long.
        var cut = stack.meters().get("leasehold.http.streams.cut").counter();
        await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(() -> assertThat(cut.count()).isEqualTo(1));
        await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(() -> assertThat(open.count()).isZero());
      }
      // What it did not take was not read for it; the system's own buffers take some megabytes.
      var reads = stack.meters().get("leasehold.http.streams.reads").timer();
      assertThat(reads.count()).isBetween(1L, READS_OF_ALL / 2L);
      assertThat(stack.client(ACME).get("/api/v1/jobs/" + id + "/events?limit=1").status())
          .isEqualTo(200);
    }
  }
}
