package io.leasehold.rest.server;

import io.leasehold.rest.auth.Authentication;
import io.leasehold.rest.http.Admitted;
import io.leasehold.rest.limit.AnswerPlaces;
import io.leasehold.rest.limit.RequestRates;
import jakarta.inject.Inject;
import java.util.List;

/**
 * Admits callers: checks the token, the request rate, and the tenant's number of concurrent
 * requests.
 */
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
   * Admits a caller; the result must be closed.
   *
   * @param authorization all values of the header of this name
   * @param correlationId links everything that is done for the request
   * @throws io.leasehold.rest.problem.RequestRefusal if the caller is not admitted
   */
  Admitted admit(List<String> authorization, String correlationId) throws InterruptedException {
    var who = authentication.authenticate(authorization, correlationId);
    rates.take(who.caller());
    return new Admitted(who, places.take(who.caller()));
  }
}
