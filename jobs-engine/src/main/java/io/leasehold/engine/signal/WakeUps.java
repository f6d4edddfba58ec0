package io.leasehold.engine.signal;

import java.time.Duration;

/**
 * Tells workers, here and elsewhere, that there is something for them. Only a hint: they look
 * anyway.
 */
public interface WakeUps {

  /** There are new jobs in a queue. */
  void jobsIn(String queue);

  /** There is a job that is due after a while. */
  void jobsDueIn(Duration delay);

  /** The end of running jobs was asked for. */
  void cancellations();
}
