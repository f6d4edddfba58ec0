package io.leasehold.engine.metrics;

import static io.leasehold.db.schema.Tables.QUEUE_DEPTHS;
import static io.leasehold.db.schema.Tables.SCHEDULED;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.selectOne;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.maintenance.dependencies.OverdueNotes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jooq.DSLContext;

/**
 * Measures how many jobs are waiting and for how long. A measurement locks nothing and costs the
 * same however many jobs wait. If it nevertheless takes too long, it is given up, and the gauges
 * report no value until one succeeds.
 */
public final class QueueDepths {

  private static final TransactionOptions SHORT =
      TransactionOptions.defaults().asReadOnly().statementTimeout(Duration.ofSeconds(2));

  private static final int QUEUES_MOST = 100;
  private static final int COUNTED_MOST = 10_000;
  private static final int LANES_MOST = 1_000;
  private static final int PAGES = 500;

  /** Older values are not reported, since a reader could not see how old they are. */
  private static final Duration GOOD_FOR = Duration.ofMinutes(1);

  private final Transactions transactions;
  private final JobMeters meters;
  private volatile Measured measured = nothing();

  @Inject
  QueueDepths(Transactions transactions, JobMeters meters) {
    this.transactions = transactions;
    this.meters = meters;
    Stream.concat(meters.queues().known().stream(), Stream.of(Words.OTHER))
        .forEach(
            queue -> {
              meters.gauge(Metric.QUEUE_DEPTH, queue, () -> of(queue).jobs());
              meters.gauge(Metric.QUEUE_AGE, queue, () -> of(queue).age());
            });
    meters.gauge(Metric.OVERDUE, () -> isGood() ? measured.overdue() : Double.NaN);
    meters.gauge(Metric.NOTES_OVERDUE, () -> isGood() ? measured.overdueNotes() : Double.NaN);
  }

  /**
   * The jobs that wait in one queue.
   *
   * @param jobs the number of jobs
   * @param age the time since the first of them became due, in seconds
   */
  private record Depth(double jobs, double age) {

    static final Depth NONE = new Depth(0, 0);
    static final Depth UNKNOWN = new Depth(Double.NaN, Double.NaN);

    Depth and(Depth other) {
      return new Depth(jobs + other.jobs, Math.max(age, other.age));
    }
  }

  private record Measured(Map<String, Depth> queues, int overdue, int overdueNotes, long at) {}

  private static Measured nothing() {
    return new Measured(Map.of(), 0, 0, System.nanoTime() - GOOD_FOR.toNanos());
  }

  /** Measures, if any registry records the values. */
  public void measure() {
    if (meters.areRecorded()) {
      measured = transactions.asEngine(SHORT, this::read);
    }
  }

  private Measured read(DSLContext tx) {
    var depths = new HashMap<String, Depth>();
    var queueDepths = QUEUE_DEPTHS.call(QUEUES_MOST, COUNTED_MOST, LANES_MOST, PAGES);
    tx.select(queueDepths.QUEUE, queueDepths.DEPTH, queueDepths.OLDEST_AGE)
        .from(queueDepths)
        .forEach(
            row ->
                depths.merge(
                    meters.queues().of(row.value1()),
                    new Depth(row.value2(), Math.max(0, row.value3())),
                    Depth::and));
    return new Measured(
        Map.copyOf(depths), overdue(tx), OverdueNotes.count(tx, COUNTED_MOST), System.nanoTime());
  }

  // Uses scheduled_when_due.
  private static int overdue(DSLContext tx) {
    return tx.fetchCount(
        selectOne()
            .from(SCHEDULED)
            .where(SCHEDULED.AVAILABLE_AT.lt(currentOffsetDateTime()))
            .limit(inline(COUNTED_MOST)));
  }

  private Depth of(String queue) {
    return isGood() ? measured.queues().getOrDefault(queue, Depth.NONE) : Depth.UNKNOWN;
  }

  private boolean isGood() {
    return System.nanoTime() - measured.at() < GOOD_FOR.toNanos();
  }
}
