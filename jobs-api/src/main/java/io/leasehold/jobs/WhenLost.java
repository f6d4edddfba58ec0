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
  FAIL,
  /**
   * It is still running: a worker that has its handler, of this kind, adopts the attempt and calls
   * the handler anew, which finds {@link JobContext#isAdopted} and goes on with what the former
   * worker started outside of its process. No attempt is counted, also when the worker stops. While
   * no such worker is there, the job waits for one. An attempt that loses ten workers fails its
   * job.
   *
   * <p>A handler keeps this for as long as there are running jobs of it: what is orphaned is
   * adopted by workers that have it, too, and by no others.
   */
  ADOPT
}
