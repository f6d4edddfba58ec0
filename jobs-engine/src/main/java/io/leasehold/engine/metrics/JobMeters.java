package io.leasehold.engine.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times what an engine does. Its tags are handlers and queues that are registered here,
 * and words of its own; of others it tells as {@code other}. Safe to share between threads.
 */
public final class JobMeters {

  private final MeterRegistry registry;
  private final Words queues;
  private final Words handlers;
  private final Map<String, HandlerMeters> ofHandlers;
  private final Map<String, ClaimMeters> ofQueues = new ConcurrentHashMap<>();
  private final Timer flushTime;
  private final DistributionSummary flushJobs;
  private final Counter renewalsFailed;
  private final Counter leasesLost;
  private final Counter requeued;
  private final Counter failed;
  private final Timer scheduleLateness;
  private final Counter schedulesAside;
  private final Counter orphaned;
  private final Counter mirrorsLocked;
  private final Counter mirrorsRefused;

  /**
   * Makes the meters.
   *
   * @param handlers the ids that are told by name
   * @param queues the names that are told
   */
  public JobMeters(MeterRegistry registry, Collection<String> handlers, Collection<String> queues) {
    this.registry = registry;
    this.handlers = new Words(handlers);
    this.queues = new Words(queues);
    this.ofHandlers =
        Stream.concat(handlers.stream(), Stream.of(Words.OTHER))
            .collect(
                Collectors.toUnmodifiableMap(its -> its, its -> new HandlerMeters(registry, its)));
    this.flushTime = registry.timer(Metric.FLUSH_TIME.meter());
    this.flushJobs = registry.summary(Metric.FLUSH_JOBS.meter());
    this.renewalsFailed = registry.counter(Metric.RENEWALS_FAILED.meter());
    this.leasesLost = registry.counter(Metric.LEASES_LOST.meter());
    this.requeued = registry.counter(Metric.RESCUED.meter(), "action", "requeued");
    this.failed = registry.counter(Metric.RESCUED.meter(), "action", "failed");
    this.scheduleLateness = registry.timer(Metric.SCHEDULE_LATENESS.meter());
    this.schedulesAside = registry.counter(Metric.SCHEDULES_ASIDE.meter());
    this.orphaned = registry.counter(Metric.RESCUED.meter(), "action", "orphaned");
    this.mirrorsLocked = registry.counter(Metric.MIRRORS_BEHIND.meter(), "reason", "locked");
    this.mirrorsRefused = registry.counter(Metric.MIRRORS_BEHIND.meter(), "reason", "refused");
  }

  /** Whether anybody records what is told. */
  boolean areRecorded() {
    return !(registry instanceof CompositeMeterRegistry all && all.getRegistries().isEmpty());
  }

  /** The words for queues. */
  Words queues() {
    return queues;
  }

  /** So many jobs of a handler's were stored. */
  public void submitted(String handler, int jobs) {
    of(handler).submitted(jobs);
  }

  /** An attempt is over, and that is written; or a lease is, without one. */
  public void ended(String handler, AttemptOutcome outcome) {
    of(handler).ended(outcome);
    if (outcome == AttemptOutcome.LOST) {
      leasesLost.increment();
    }
  }

  /** An attempt is over whose handler ran for so long. */
  public void ran(String handler, AttemptOutcome outcome, Duration time) {
    of(handler).ran(outcome, time);
  }

  private HandlerMeters of(String handler) {
    return Objects.requireNonNull(ofHandlers.get(handlers.of(handler)));
  }

  /** The meters for claims from a queue. */
  public ClaimMeters claims(String queue) {
    return ofQueues.computeIfAbsent(queues.of(queue), its -> new ClaimMeters(registry, its));
  }

  /** A batch of ends was written. */
  public void flushed(int jobs, long nanos) {
    flushJobs.record(jobs);
    flushTime.record(nanos, TimeUnit.NANOSECONDS);
  }

  /** The leases could not be renewed. */
  public void renewalFailed() {
    renewalsFailed.increment();
  }

  /** Jobs were taken from workers that are lost. */
  public void rescued(int again, int over) {
    requeued.increment(again);
    failed.increment(over);
  }

  /** The job of a schedule's slot was submitted so long after it. */
  public void slotFired(Duration late) {
    scheduleLateness.record(late);
  }

  /** A schedule was put aside. */
  public void scheduleAside() {
    schedulesAside.increment();
  }

  /** Records are still locked by other transactions, and stay behind their jobs. */
  public void mirrorsLocked(int records) {
    mirrorsLocked.increment(records);
  }

  /** Tables refused to have records mirror their jobs. */
  public void mirrorsRefused(int records) {
    mirrorsRefused.increment(records);
  }

  /** Jobs were taken from workers that are lost, and go on without one. */
  public void orphaned(int jobs) {
    orphaned.increment(jobs);
  }

  /** Tells how many of a queue's slots there are, and how many jobs are in them. */
  public void slots(String queue, int total, IntSupplier busy) {
    gauge(Metric.SLOTS, queue, () -> total);
    gauge(Metric.SLOTS_BUSY, queue, busy::getAsInt);
  }

  /** Tells how many slots are taken by handlers that do not end. */
  public void stuck(IntSupplier stuck) {
    gauge(Metric.SLOTS_STUCK, stuck::getAsInt);
  }

  /** Tells for how long the listening connection has been silent; nothing where there is none. */
  public void listener(Supplier<@Nullable Duration> silence) {
    gauge(
        Metric.LISTENER_SILENCE,
        () -> {
          var its = silence.get();
          return its == null ? Double.NaN : its.toMillis() / 1e3;
        });
  }

  void gauge(Metric metric, String queue, Supplier<Number> value) {
    Gauge.builder(metric.meter(), value).tag("queue", queue).register(registry);
  }

  void gauge(Metric metric, Supplier<Number> value) {
    Gauge.builder(metric.meter(), value).register(registry);
  }
}
