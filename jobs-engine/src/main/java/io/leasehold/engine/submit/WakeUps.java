package io.leasehold.engine.submit;

/**
 * Tells workers, here and elsewhere, that there is something for them. Only a hint: they look
 * anyway.
 */
public interface WakeUps {

  /** There are new jobs in a queue. */
  void jobsIn(String queue);

  /** The end of running jobs was asked for. */
  void cancellations();
}
