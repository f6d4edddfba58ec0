package io.leasehold.engine.signal;

import java.time.Duration;

/**
 * Notifies workers, in this process and in others, that there is work for them. Only a hint:
 * workers poll anyway.
 */
public interface WakeUps {

  /** Announces new jobs in a queue. */
  void jobsIn(String queue);

  /** Announces a job that is due after {@code delay}. */
  void jobsDueIn(Duration delay);

  /** Announces requests to cancel running jobs. */
  void cancellations();
}
