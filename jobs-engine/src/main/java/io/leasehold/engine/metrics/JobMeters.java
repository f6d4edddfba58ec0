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
 * Counts and times the work of an engine. The values of its tags are fixed words and the handlers
 * and queues registered here; all others are reported as {@code other}. Safe to share between
 * threads.
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
   * Registers the meters.
   *
   * @param handlers the handler ids that are reported by name
   * @param queues the queue names that are reported
   */
  public JobMeters(MeterRegistry registry, Collection<String> handlers, Collection<String> queues) {
    this.registry = registry;
    this.handlers = new Words(handlers);
    this.queues = new Words(queues);
    this.ofHandlers =
        Stream.concat(handlers.stream(), Stream.of(Words.OTHER))
            .collect(
                Collectors.toUnmodifiableMap(
                    handler -> handler, handler -> new HandlerMeters(registry, handler)));
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

  /** Returns whether any registry records the values. */
  boolean areRecorded() {
    return !(registry instanceof CompositeMeterRegistry all && all.getRegistries().isEmpty());
  }

  /** Returns the tag values for queues. */
  Words queues() {
    return queues;
  }

  /** Records {@code jobs} newly stored jobs of a handler. */
  public void submitted(String handler, int jobs) {
    of(handler).submitted(jobs);
  }

  /** Records an attempt whose end has been written, or the end of a lease without an attempt. */
  public void ended(String handler, AttemptOutcome outcome) {
    of(handler).ended(outcome);
    if (outcome == AttemptOutcome.LOST) {
      leasesLost.increment();
    }
  }

  /** Records the run time of a handler in an attempt that ended. */
  public void ran(String handler, AttemptOutcome outcome, Duration time) {
    of(handler).ran(outcome, time);
  }

  private HandlerMeters of(String handler) {
    return Objects.requireNonNull(ofHandlers.get(handlers.of(handler)));
  }

  /** Returns the meters for claims from a queue. */
  public ClaimMeters claims(String queue) {
    return ofQueues.computeIfAbsent(queues.of(queue), name -> new ClaimMeters(registry, name));
  }

  /** Records that a batch of job ends was written. */
  public void flushed(int jobs, long nanos) {
    flushJobs.record(jobs);
    flushTime.record(nanos, TimeUnit.NANOSECONDS);
  }

  /** Records that the leases could not be renewed. */
  public void renewalFailed() {
    renewalsFailed.increment();
  }

  /** Records jobs that were rescued from lost workers. */
  public void rescued(int again, int over) {
    requeued.increment(again);
    failed.increment(over);
  }

  /** Records how late the job of a schedule's slot was submitted. */
  public void slotFired(Duration late) {
    scheduleLateness.record(late);
  }

  /** Records that a schedule was put aside. */
  public void scheduleAside() {
    schedulesAside.increment();
  }

  /**
   * Counts records that do not mirror their jobs yet, because other transactions still lock them.
   */
  public void mirrorsLocked(int records) {
    mirrorsLocked.increment(records);
  }

  /** Counts records that do not mirror their jobs, because their tables refused the change. */
  public void mirrorsRefused(int records) {
    mirrorsRefused.increment(records);
  }

  /** Records jobs that were taken from lost workers and continue without a worker. */
  public void orphaned(int jobs) {
    orphaned.increment(jobs);
  }

  /** Reports how many slots a queue has, and how many of them hold jobs. */
  public void slots(String queue, int total, IntSupplier busy) {
    gauge(Metric.SLOTS, queue, () -> total);
    gauge(Metric.SLOTS_BUSY, queue, busy::getAsInt);
  }

  /** Reports how many slots are occupied by handlers that do not stop. */
  public void stuck(IntSupplier stuck) {
    gauge(Metric.SLOTS_STUCK, stuck::getAsInt);
  }

  /**
   * Reports how long the listening connection has been silent; no value if there is no connection.
   */
  public void listener(Supplier<@Nullable Duration> silence) {
    gauge(
        Metric.LISTENER_SILENCE,
        () -> {
          var silentFor = silence.get();
          return silentFor == null ? Double.NaN : silentFor.toMillis() / 1e3;
        });
  }

  void gauge(Metric metric, String queue, Supplier<Number> value) {
    Gauge.builder(metric.meter(), value).tag("queue", queue).register(registry);
  }

  void gauge(Metric metric, Supplier<Number> value) {
    Gauge.builder(metric.meter(), value).register(registry);
  }
}
