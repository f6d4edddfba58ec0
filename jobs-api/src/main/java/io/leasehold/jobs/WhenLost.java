package io.leasehold.jobs;

/** What becomes of a running job whose worker is lost: killed, frozen or cut off. */
public enum WhenLost {
  /**
   * It is queued again, whether or not it has attempts left: to lose a worker is no failure of the
   * handler. The attempt that was lost is counted. A job that is lost nine attempts beyond its last
   * fails: work that kills its worker comes to an end.
   */
  REQUEUE,
  /** It is queued again if it has attempts left, and fails if this was the last. */
  FAIL
}
