package io.leasehold.engine.work.run;

import io.leasehold.jobs.JobId;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/** Starts attempts, each on a virtual thread of its own. Safe to share between threads. */
public final class AttemptThreads {

  private final ThreadFactory threads;

  /** Virtual threads of the JDK's own scheduler. */
  public AttemptThreads() {
    this(Thread.ofVirtual().factory());
  }

  AttemptThreads(ThreadFactory threads) {
    this.threads = threads;
  }

  /**
   * Starts an attempt. Throws nothing.
   *
   * @param refused is called instead, on the calling thread, if no thread can be started
   */
  public void start(JobId job, Runnable attempt, Consumer<Throwable> refused) {
    try {
      var thread = threads.newThread(attempt);
      thread.setName("job " + job);
      thread.start();
    } catch (Throwable e) { // As when there is no memory for another thread.
      refused.accept(e);
    }
  }
}
