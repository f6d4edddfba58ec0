package io.leasehold.rest;

/** The metrics of the process, for {@code /metrics}. Called by several threads. */
public interface MetricsPage {

  /** Returns all metrics in Prometheus' text format. */
  String text();
}
