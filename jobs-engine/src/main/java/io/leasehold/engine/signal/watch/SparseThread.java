package io.leasehold.engine.signal.watch;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A thread for what is to be done now and then: it is there while it is needed. */
public final class SparseThread {

  private static final Duration STAYS = Duration.ofSeconds(10);

  private SparseThread() {}

  /** One that keeps no process from its end, and ends while there is nothing to do. */
  public static ScheduledThreadPoolExecutor named(String name) {
    var thread =
        new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name(name).factory());
    thread.setKeepAliveTime(STAYS.toNanos(), TimeUnit.NANOSECONDS);
    thread.allowCoreThreadTimeOut(true);
    return thread;
  }
}
