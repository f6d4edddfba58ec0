package io.leasehold.rest.program;

import io.leasehold.rest.MetricsPage;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;

/** The metrics of the process, in Prometheus' format. */
final class Measured implements MetricsPage {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /**
   * Starts to measure the process itself, and whatever other components register with {@link
   * #registry}.
   */
  Measured() {
    List.of(
            new JvmMemoryMetrics(),
            new JvmThreadMetrics(),
            new ProcessorMetrics(),
            new UptimeMetrics())
        .forEach(it -> it.bindTo(registry));
  }

  MeterRegistry registry() {
    return registry;
  }

  @Override
  public String text() {
    return registry.scrape();
  }
}
