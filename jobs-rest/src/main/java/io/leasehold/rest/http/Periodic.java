package io.leasehold.rest.http;

import java.time.Duration;

/** A periodic check that runs while the server runs. */
public interface Periodic {

  /** The interval between checks. */
  Duration every();

  /** Runs one check. Called by one thread at a time, and must not block. */
  void look();

  /** Called when the server is about to stop: long-lived responses must end. */
  default void stopping() {}
}
