package io.leasehold.rest;

import java.time.Duration;

/** Serves HTTP between its start and its stop. Started once. */
public interface RestServer {

  /**
   * Starts the server.
   *
   * @return the port that it listens on
   * @throws IllegalStateException if it cannot listen there, or was started before
   */
  int start();

  /**
   * Accepts no more requests, ends all streams, and waits for the current requests. Does nothing
   * when repeated or called before the start.
   *
   * @param grace how long to wait; requests that are not answered by then are cut off
   */
  void stop(Duration grace);
}
