package io.leasehold.engine.metrics;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.maintenance.TestQueue;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The names in the code, in a registry, and in docs/operate/metrics.md are the same. */
class MetricTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private static final Pattern LINE =
      Pattern.compile("(?m)^\\| `(leasehold\\.[a-z.]+)` \\| ([a-z]+) \\| ([^|]*) \\|");

  private static String line(String meter, String kind, String tags) {
    return "%s: %s, by %s".formatted(meter, kind, tags.isEmpty() ? "nothing" : tags);
  }

  private static Set<String> declared() {
    return Arrays.stream(Metric.values())
        .map(
            metric ->
                line(metric.meter(), metric.kind().name().toLowerCase(Locale.ROOT), metric.tags()))
        .collect(toSet());
  }

  @Test
  void isDescribedForOperators() throws IOException {
    var document = Files.readString(Path.of("../docs/operate/metrics.md"));

    var described =
        LINE.matcher(document)
            .results()
            .map(
                (MatchResult row) ->
                    line(
                        row.group(1),
                        row.group(2),
                        row.group(3).replace("`", "").replace("–", "").strip()));

    assertThat(described).containsExactlyInAnyOrderElementsOf(declared());
  }

  @Test
  void declaredMetricsAreThoseOfTheRegistry() {
    var registry = new SimpleMeterRegistry();
    var meters = new JobMeters(registry, Set.of("handler"), Set.of("queue"));
    var _ = new QueueDepths(queue.transactions(), meters);
    meters.claims("queue");
    meters.slots("queue", 1, () -> 0);
    meters.stuck(() -> 0);
    meters.listener(() -> null);

    Map<String, String> found =
        registry.getMeters().stream()
            .collect(toMap(meter -> meter.getId().getName(), MetricTest::line, (one, _) -> one));

    assertThat(found.values()).containsExactlyInAnyOrderElementsOf(declared());
  }

  private static String line(Meter meter) {
    var id = meter.getId();
    var kind =
        switch (id.getType()) {
          case DISTRIBUTION_SUMMARY -> "summary";
          default -> id.getType().name().toLowerCase(Locale.ROOT);
        };
    return line(id.getName(), kind, id.getTags().stream().map(Tag::getKey).collect(joining(", ")));
  }
}
