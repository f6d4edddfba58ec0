package io.leasehold.rest.http;

import java.time.Duration;

/** Something that is looked after while the server runs. */
public interface Periodic {

  /** How often. */
  Duration every();

  /** Looks. Called by one thread at a time, and may not block. */
  void look();

  /** The server is about to stop: what would last ends. */
  default void stopping() {}
}
