package io.leasehold.engine.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.jobs.JobsException;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class QueueDepthsTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final QueueDepths depths = depths();

  private QueueDepths depths() {
    return new QueueDepths(
        queue.transactions(), new JobMeters(registry, Set.of(), Set.of("large", "small", "idle")));
  }

  // Of 300 tenants, each with jobs of two priorities.
  private static void fill(String name, int jobs, Duration age) throws SQLException {
    queue.run(
        """
        INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at)
        SELECT ('00000000-0000-0000-0000-' || lpad((n / 2 % 300)::text, 12, '0'))::uuid,
          gen_random_uuid(), ?, n % 2, 0, now() - ? * interval '1 s'
        FROM generate_series(1, ?) AS n\
        """,
        name, age.toSeconds(), jobs);
  }

  private double depth(String name) {
    return registry.get("leasehold.queue.depth").tag("queue", name).gauge().value();
  }

  private double age(String name) {
    return registry.get("leasehold.queue.age").tag("queue", name).gauge().value();
  }

  @Test
  void countsAFewThousandExactly() throws SQLException {
    fill("small", 9_999, Duration.ofSeconds(5));
    fill("small", 1, Duration.ofMinutes(10));

    depths.measure();

    assertThat(depth("small")).isEqualTo(10_000);
    assertThat(age("small")).isCloseTo(600, within(60.0));
    assertThat(depth("idle")).isZero();
    assertThat(age("idle")).isZero();
  }

  @Test
  void estimatesMoreWithoutStatistics() throws SQLException {
    fill("large", 200_000, Duration.ofMinutes(1));
    queue.run("ANALYZE leasehold.ready");
    queue.run("DELETE FROM leasehold.ready WHERE random() < 0.8");
    fill("small", 60_000, Duration.ofMinutes(2));

    depths.measure();

    assertThat(depth("large")).isCloseTo(40_000, Percentage.withPercentage(35));
    assertThat(depth("small")).isCloseTo(60_000, Percentage.withPercentage(35));
    assertThat(age("small")).isCloseTo(120, within(60.0));
  }

  @Test
  void findsTheOldestJobOfTheLastLane() throws SQLException {
    fill("large", 30_000, Duration.ofMinutes(1));
    queue.run(
        """
        INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at)
        VALUES ('ffffffff-ffff-ffff-ffff-ffffffffffff', gen_random_uuid(), 'large', -5, 0,
          now() - interval '1 h')\
        """);

    depths.measure();

    assertThat(age("large")).isCloseTo(3_600, within(60.0));
  }

  @Test
  void countsUnknownQueuesTogether() throws SQLException {
    fill("of another", 3, Duration.ofSeconds(1));
    fill("of a third", 4, Duration.ofSeconds(1));

    depths.measure();

    assertThat(depth("other")).isEqualTo(7);
  }

  @Test
  void countsOverdueJobs() throws SQLException {
    queue.scheduled(TestQueue.today(), -60_000);
    queue.scheduled(TestQueue.today(), 60_000);

    depths.measure();

    assertThat(registry.get("leasehold.scheduled.overdue").gauge().value()).isEqualTo(1);
  }

  @Test
  void reportsNothingBeforeTheFirstMeasurement() {
    assertThat(depth("small")).isNaN();
    assertThat(age("small")).isNaN();
    assertThat(registry.get("leasehold.scheduled.overdue").gauge().value()).isNaN();
  }

  @Test
  void runsNoQueryIfNoRegistryRecords() throws SQLException {
    var meters = new JobMeters(new CompositeMeterRegistry(), Set.of(), Set.of());
    var unrecorded = new QueueDepths(queue.transactions(), meters);
    queue.run("REVOKE EXECUTE ON FUNCTION leasehold.queue_depths FROM leasehold_engine");
    try {
      assertThatThrownBy(depths::measure).isInstanceOf(JobsException.class);
      assertThatCode(unrecorded::measure).doesNotThrowAnyException();
    } finally {
      queue.run("GRANT EXECUTE ON FUNCTION leasehold.queue_depths TO leasehold_engine");
    }
  }

  /** However many wait: it looks at some thousands of them, and at some pages. */
  @Test
  void readsNoMorePagesForALargeQueue() throws SQLException {
    fill("large", 30_000, Duration.ofMinutes(1));
    var tens = pagesLookedAt();
    fill("large", 270_000, Duration.ofMinutes(1));
    var hundreds = pagesLookedAt();

    assertThat(hundreds).isLessThan(tens + 3_000).isLessThan(40_000);
  }

  private static long pagesLookedAt() throws SQLException {
    queue.run("VACUUM leasehold.ready");
    var explain =
        """
        EXPLAIN (ANALYZE, BUFFERS, COSTS off)
        SELECT FROM leasehold.queue_depths(100, 10000, 1000, 500)\
        """;
    try (var engine = queue.asEngine()) {
      var plan = TestQueue.ask(engine, explain).toString();
      var found = Pattern.compile("shared hit=(\\d+)(?: read=(\\d+))?").matcher(plan);
      assertThat(found.find()).as(plan).isTrue();
      return Long.parseLong(found.group(1))
          + (found.group(2) == null ? 0 : Long.parseLong(found.group(2)));
    }
  }
}
