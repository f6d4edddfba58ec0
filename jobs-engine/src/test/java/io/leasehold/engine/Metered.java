package io.leasehold.engine;

import com.google.inject.AbstractModule;
import com.google.inject.multibindings.OptionalBinder;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;

/** Has an engine's meters recorded. */
final class Metered extends AbstractModule {

  private final MeterRegistry registry;

  Metered(MeterRegistry registry) {
    this.registry = registry;
  }

  Metered() {
    this(new SimpleMeterRegistry());
  }

  @Override
  protected void configure() {
    OptionalBinder.newOptionalBinder(binder(), MeterRegistry.class)
        .setBinding()
        .toInstance(registry);
  }

  /** What all counters of that name and those tags come to. */
  double count(String meter, String... tags) {
    return registry.get(meter).tags(tags).counters().stream().mapToDouble(Counter::count).sum();
  }

  long times(String meter, String... tags) {
    return registry.get(meter).tags(tags).timers().stream().mapToLong(Timer::count).sum();
  }

  double longestSeconds(String meter, String... tags) {
    return registry.get(meter).tags(tags).timer().max(TimeUnit.SECONDS);
  }

  double summed(String meter, String... tags) {
    return registry.get(meter).tags(tags).summary().totalAmount();
  }

  double gauge(String meter, String... tags) {
    return registry.get(meter).tags(tags).gauges().stream().mapToDouble(Gauge::value).sum();
  }
}
