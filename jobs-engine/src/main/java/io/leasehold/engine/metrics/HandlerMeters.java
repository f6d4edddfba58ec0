package io.leasehold.engine.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * The meters of one handler. They are registered at once, so that they show zero from the start.
 */
final class HandlerMeters {

  private final Counter submitted;
  private final Map<AttemptOutcome, Counter> ended = new EnumMap<>(AttemptOutcome.class);
  private final Map<AttemptOutcome, Timer> run = new EnumMap<>(AttemptOutcome.class);

  HandlerMeters(MeterRegistry registry, String handler) {
    submitted = registry.counter(Metric.SUBMITTED.meter(), "handler", handler);
    for (var outcome : AttemptOutcome.values()) {
      String[] tags = {"handler", handler, "outcome", outcome.word()};
      ended.put(outcome, registry.counter(Metric.ENDED.meter(), tags));
      run.put(outcome, registry.timer(Metric.RUN.meter(), tags));
    }
  }

  void submitted(int jobs) {
    submitted.increment(jobs);
  }

  void ended(AttemptOutcome outcome) {
    one(ended, outcome).increment();
  }

  void ran(AttemptOutcome outcome, Duration time) {
    one(run, outcome).record(time);
  }

  private static <M> M one(Map<AttemptOutcome, M> of, AttemptOutcome outcome) {
    var meter = of.get(outcome);
    if (meter == null) {
      throw new IllegalStateException("there is no meter for " + outcome);
    }
    return meter;
  }
}
