package io.leasehold.rest.server;

import io.leasehold.rest.http.Route;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Inject;
import java.time.Duration;

/** Counts and times requests, by route and kind of response, with a fixed number of meters. */
final class HttpMeters {

  private static final int HUNDRED = 100;

  private final MeterRegistry meters;

  @Inject
  HttpMeters(MeterRegistry meters) {
    this.meters = meters;
  }

  /** Records a finished response; a long-lived one counts when it has ended. */
  void answered(Route route, int status, long nanos) {
    Timer.builder("leasehold.http.requests")
        .description("Requests that were answered, and how long that took")
        .tag("method", route.method())
        .tag("route", route.path())
        .tag("status", status / HUNDRED + "xx")
        .register(meters)
        .record(Duration.ofNanos(nanos));
  }
}
