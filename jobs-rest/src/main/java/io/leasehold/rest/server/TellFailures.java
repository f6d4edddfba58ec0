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
 * Reports failed requests to operators. Failures that may affect every request, such as an outage
 * or tokens of a wrong issuer, are reported once a minute for each kind.
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

  /** Reports that a request was answered with a problem. */
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
                    "requests cannot be answered: {} ({} more since the last such line)",
                    kind,
                    keptBack));
    log.debug("a request cannot be answered", failure);
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
                    "a request was rejected for its token: {} ({} more since the last such line)",
                    reason,
                    keptBack));
  }
}
