package io.leasehold.engine.threads;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that virtual threads go on though some never let go: they share as many threads of the
 * system as there are processors, and one that computes without end keeps its own for good. When
 * none is left, there is one more.
 */
public final class SpareCarriers {

  private static final Logger log = LoggerFactory.getLogger(SpareCarriers.class);

  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final int MOST = 250;

  private final VirtualThreadSchedulerMXBean scheduler =
      ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
  private volatile boolean ran = true;
  private long askedAt;

  /** Looks whether virtual threads run; called again and again by one thread that is none. */
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
          "no virtual thread ran for {}: {} of them may never let go; there is a carrier more now",
          PATIENCE,
          scheduler.getMountedVirtualThreadCount());
      scheduler.setParallelism(carriers + 1);
      // The scheduler starts a carrier when there is something new in a queue that was empty. A
      // thread that is new has a queue of its own; this one's is full of what does not run.
      Thread.ofPlatform().daemon().name("carrier").start(this::ask);
    }
  }
}
