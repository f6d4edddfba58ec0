package io.leasehold.rest;

import java.time.Duration;

/** Serves HTTP between its start and its stop. Started once. */
public interface RestServer {

  /**
   * Starts.
   *
   * @return the port that it listens on
   * @throws IllegalStateException if it cannot listen there, or was started before
   */
  int start();

  /**
   * Takes no more requests, ends all streams, and waits for requests that are being answered.
   * Repeated, and before the start, it does nothing.
   *
   * @param grace for so long; what is not answered by then is cut off
   */
  void stop(Duration grace);
}
