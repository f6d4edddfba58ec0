package io.leasehold.rest.server;

import io.leasehold.rest.http.Seldom;
import io.leasehold.rest.problem.Failures;
import io.leasehold.rest.problem.RequestRefusal;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells operators of requests that failed. What can happen with every request, as in an outage or
 * with tokens of a wrong issuer, is told once a minute for each kind.
 */
@Singleton
final class TellFailures {

  private static final Logger log = LoggerFactory.getLogger(TellFailures.class);

  private final MeterRegistry meters;
  private final Seldom<String> outages = new Seldom<>();
  private final Seldom<String> tokens = new Seldom<>();

  @Inject
  TellFailures(MeterRegistry meters) {
    this.meters = meters;
  }

  /** A request was answered with a problem, for this reason. */
  void tell(RequestRefusal refusal, Throwable failure) {
    switch (refusal.problem()) {
      case FAILED -> log.error("a request failed", failure);
      case UNAVAILABLE, BUSY -> tellOutage(Failures.kindOf(failure), failure);
      case UNAUTHENTICATED -> tellToken(refusal.reason().orElse("other"));
      default -> log.debug("a request is refused: {}", refusal.problem());
    }
  }

  private void tellOutage(String kind, Throwable failure) {
    outages
        .next(kind)
        .ifPresent(
            keptBack ->
                log.warn(
                    "requests cannot be answered at present: {} ({} more since this was told last)",
                    kind,
                    keptBack));
    log.debug("a request cannot be answered at present", failure);
  }

  private void tellToken(String reason) {
    Counter.builder("leasehold.http.unauthenticated")
        .description("Requests whose token was missing or not taken")
        .tag("reason", reason)
        .register(meters)
        .increment();
    tokens
        .next(reason)
        .ifPresent(
            keptBack ->
                log.warn(
                    "a request has no token that is taken: {} ({} more since this was told last)",
                    reason,
                    keptBack));
  }
}
