package io.leasehold.jobs;

/** What happens to a running job whose worker is lost: killed, frozen or cut off. */
public enum WhenLost {
  /**
   * The job is queued again, even if no attempts are left: losing a worker is not a failure of the
   * handler. The lost attempt counts. A job that is lost nine attempts beyond its last fails, so
   * that work that kills its workers does not run forever.
   */
  REQUEUE,
  /** The job is queued again if attempts are left, and fails otherwise. */
  FAIL,
  /**
   * The job stays running, and another worker adopts the attempt. That worker must have the
   * handler, registered with this setting. It calls the handler again; {@link JobContext#isAdopted}
   * returns true, and the handler resumes the work that the previous worker started outside its
   * process. An adoption does not count as an attempt, nor does a shutdown of the worker. Until
   * such a worker is available, the job waits. An attempt that loses ten workers fails the job.
   *
   * <p>Keep this setting for a handler while it has running jobs: only workers that also use it
   * adopt orphaned jobs.
   */
  ADOPT
}
