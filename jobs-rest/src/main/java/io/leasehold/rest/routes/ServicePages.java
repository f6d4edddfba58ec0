package io.leasehold.rest.routes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.rest.MetricsPage;
import io.leasehold.rest.RestHealth;
import io.leasehold.rest.http.Exchange;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The pages about the service itself. */
final class ServicePages {

  static final String METRICS = "text/plain";
  static final String YAML = "application/yaml";

  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final RestHealth health;
  private final MetricsPage metrics;

  @Inject
  ServicePages(RestHealth health, MetricsPage metrics) {
    this.health = health;
    this.metrics = metrics;
  }

  /** Whether the process should keep running; a process that answers otherwise must be replaced. */
  void health(Exchange exchange) throws IOException {
    var isAlive = health.report().isAlive();
    exchange.json(isAlive ? OK : UNAVAILABLE, Map.of("status", isAlive ? "up" : "broken"));
  }

  /** Whether the process can do its work. */
  void readiness(Exchange exchange) throws IOException {
    var report = health.report();
    exchange.json(
        report.isReady() ? OK : UNAVAILABLE,
        new Readiness(report.isReady(), new TreeMap<>(report.components())));
  }

  /** The metrics of the process. */
  void metrics(Exchange exchange) throws IOException {
    exchange.bytes(OK, METRICS + ";version=0.0.4;charset=utf-8", metrics.text().getBytes(UTF_8));
  }

  /** The document that describes the API. */
  void document(Exchange exchange) throws IOException {
    try (var in = ServicePages.class.getResourceAsStream("/io/leasehold/rest/openapi.yaml")) {
      exchange.bytes(OK, YAML, Objects.requireNonNull(in).readAllBytes());
    }
  }

  private record Readiness(boolean ready, Map<String, String> components) {}
}
