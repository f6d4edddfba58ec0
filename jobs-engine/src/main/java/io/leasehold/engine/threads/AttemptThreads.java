package io.leasehold.engine.threads;

import io.leasehold.jobs.JobId;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/** Starts attempts, each on its own virtual thread. Thread-safe. */
public final class AttemptThreads {

  private final ThreadFactory threads;

  /** Uses virtual threads of the JDK's default scheduler. */
  public AttemptThreads() {
    this(Thread.ofVirtual().factory());
  }

  AttemptThreads(ThreadFactory threads) {
    this.threads = threads;
  }

  /**
   * Starts an attempt. Throws nothing.
   *
   * @param refused called instead, on the calling thread, if no thread can be started
   */
  public void start(JobId job, Runnable attempt, Consumer<Throwable> refused) {
    try {
      var thread = threads.newThread(attempt);
      thread.setName("job " + job);
      thread.start();
    } catch (Throwable e) { // For example, if there is no memory for a thread.
      refused.accept(e);
    }
  }
}
