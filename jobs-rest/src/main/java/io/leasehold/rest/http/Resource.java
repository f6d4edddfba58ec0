package io.leasehold.rest.http;

import java.io.IOException;

/** Answers the requests of one route, several at once, each on a virtual thread of its own. */
@FunctionalInterface
public interface Resource {

  /**
   * Answers.
   *
   * @throws io.leasehold.rest.problem.RequestRefusal with what is wrong, if nothing was sent yet
   * @throws IOException if the client does not take the answer
   */
  void answer(Exchange exchange) throws IOException, InterruptedException;
}
