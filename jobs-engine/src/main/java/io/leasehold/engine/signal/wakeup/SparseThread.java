package io.leasehold.engine.signal.wakeup;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A thread for occasional work, which exists only while it is needed. */
public final class SparseThread {

  private static final Duration STAYS = Duration.ofSeconds(10);

  private SparseThread() {}

  /** Returns an executor whose thread is a daemon and ends while there is no work. */
  public static ScheduledThreadPoolExecutor named(String name) {
    var thread =
        new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name(name).factory());
    thread.setKeepAliveTime(STAYS.toNanos(), TimeUnit.NANOSECONDS);
    thread.allowCoreThreadTimeOut(true);
    return thread;
  }
}
