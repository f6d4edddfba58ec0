package io.leasehold.rest.server;

import io.leasehold.rest.auth.Authentication;
import io.leasehold.rest.http.Admitted;
import io.leasehold.rest.limit.AnswerPlaces;
import io.leasehold.rest.limit.RequestRates;
import jakarta.inject.Inject;
import java.util.List;

/** Lets callers in: those that are known, not too often, and so many of a tenant at a time. */
final class Admission {

  private final Authentication authentication;
  private final RequestRates rates;
  private final AnswerPlaces places;

  @Inject
  Admission(Authentication authentication, RequestRates rates, AnswerPlaces places) {
    this.authentication = authentication;
    this.rates = rates;
    this.places = places;
  }

  /**
   * Lets one in, who has to be let out again.
   *
   * @param authorization all values of the header of this name
   * @param correlationId ties what happens for the request together
   * @throws io.leasehold.rest.problem.RequestRefusal if it is not let in
   */
  Admitted admit(List<String> authorization, String correlationId) throws InterruptedException {
    var who = authentication.authenticate(authorization, correlationId);
    rates.take(who.caller());
    return new Admitted(who, places.take(who.caller()));
  }
}
