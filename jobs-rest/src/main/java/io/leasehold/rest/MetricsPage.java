package io.leasehold.rest;

/** What the process measures, for {@code /metrics}. Asked by several threads. */
public interface MetricsPage {

  /** All of it, in Prometheus' text format. */
  String text();
}
