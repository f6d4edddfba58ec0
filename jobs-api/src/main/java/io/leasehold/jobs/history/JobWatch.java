package io.leasehold.jobs.history;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.SecurityContext;

/**
 * Notifies callers of changes to a job, so that they need not poll.
 *
 * <p>A notification is only a hint. It may be spurious, and one notification may stand for several
 * changes. It arrives milliseconds after a change is committed, whichever process made the change.
 * No change is missed: if a notification is lost, another follows a few seconds later. The callback
 * reads the job itself, as its own caller. A watch does not read the database, so it reveals
 * neither whether a job exists nor which tenant owns it. Safe to share between threads; a watch
 * holds no connection.
 */
public interface JobWatch {

  /**
   * Runs a callback whenever the status or the history of a job changes. Start the watch first and
   * read the job afterwards: changes in between are reported too.
   *
   * @param job a restartable job; changes to in-memory jobs are not reported
   * @param changed the callback; it runs on a thread that all watches share, one callback at a
   *     time, so it must return immediately
   */
  Watch watch(SecurityContext caller, JobId job, Runnable changed);

  /** A watch of one job, active until it is closed. Safe to share between threads. */
  interface Watch extends AutoCloseable {

    /**
     * Stops the notifications; a callback that is already running completes. Closing again has no
     * effect.
     */
    @Override
    void close();
  }
}
