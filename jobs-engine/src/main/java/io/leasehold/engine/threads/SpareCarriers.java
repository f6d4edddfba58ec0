package io.leasehold.engine.threads;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps virtual threads running although some never yield. Virtual threads share as many platform
 * threads as there are processors, and one that computes forever keeps its carrier for good. When
 * no carrier is left, this class adds one.
 */
public final class SpareCarriers {

  private static final Logger log = LoggerFactory.getLogger(SpareCarriers.class);

  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final int MOST = 250;

  private final VirtualThreadSchedulerMXBean scheduler =
      ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
  private volatile boolean ran = true;
  private long askedAt;

  /** Checks whether virtual threads still run. Called regularly by a single platform thread. */
  public void look() {
    var now = System.nanoTime();
    if (ran) {
      ran = false;
      askedAt = now;
      ask();
    } else if (now - askedAt >= PATIENCE.toNanos()) {
      askedAt = now;
      add();
    }
  }

  private void ask() {
    Thread.ofVirtual().name("carried").start(() -> ran = true);
  }

  private void add() {
    var carriers = scheduler.getParallelism();
    if (carriers > 0 && carriers < MOST) {
      log.warn(
          "no virtual thread was scheduled for {}: {} are mounted; added a carrier thread",
          PATIENCE,
          scheduler.getMountedVirtualThreadCount());
      scheduler.setParallelism(carriers + 1);
      // The scheduler starts a carrier when a task enters an empty queue. A new platform thread has
      // a queue of its own; the queue of the current one is full of tasks that do not run.
      Thread.ofPlatform().daemon().name("carrier").start(this::ask);
    }
  }
}
