package io.leasehold.jobs;

/**
 * Tells when something happened to a job, so that whoever follows it need not look again and again.
 *
 * <p>It is a hint and no more: it may come without a cause, and several causes may come as one. It
 * comes milliseconds after what happened is committed, whichever process did it; where it was lost
 * on its way it comes some seconds later, and never not at all. Whoever is called looks for itself,
 * as its caller. Looks into no database itself, and so tells nothing about whether there is such a
 * job, or whose it is. Safe to share between threads; a watch holds no connection.
 */
public interface JobWatch {

  /**
   * Has something done whenever a job changed in a way that its status or its history shows. Watch
   * first and look then: what happens in between is told, too.
   *
   * @param job a restartable one; of one in memory nothing is told
   * @param changed run on a thread of the platform's, one at a time, which all watches share: it
   *     has to return at once
   */
  Watch watch(SecurityContext caller, JobId job, Runnable changed);

  /** Tells of one job until it is closed. Safe to share between threads. */
  interface Watch extends AutoCloseable {

    /** Tells no more, but for a call that is under way. Repeated, it does nothing. */
    @Override
    void close();
  }
}
