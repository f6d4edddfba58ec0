package io.leasehold.rest.http;

import java.io.IOException;

/** Answers the requests of one route concurrently, each on its own virtual thread. */
@FunctionalInterface
public interface Resource {

  /**
   * Answers a request.
   *
   * @throws io.leasehold.rest.problem.RequestRefusal if the request is wrong and nothing was sent
   *     yet
   * @throws IOException if the client does not accept the response
   */
  void answer(Exchange exchange) throws IOException, InterruptedException;
}
