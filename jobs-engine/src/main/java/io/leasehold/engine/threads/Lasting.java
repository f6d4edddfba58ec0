package io.leasehold.engine.threads;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what ends by an interrupt alone. Where there was no memory for it, as when a handler took
 * all of it, it begins anew.
 */
public final class Lasting implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(Lasting.class);
  private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

  private final Runnable work;

  private Lasting(Runnable work) {
    this.work = work;
  }

  /** Starts it on a thread of the system of its own, which keeps no process from its end. */
  public static Thread start(String name, Runnable work) {
    return Thread.ofPlatform().daemon().name(name).start(new Lasting(work));
  }

  @Override
  public void run() {
    var ended = false;
    while (!ended) {
      ended = hasEnded();
    }
  }

  private boolean hasEnded() {
    try {
      work.run();
      return true;
    } catch (VirtualMachineError e) {
      tell(e);
      return false;
    }
  }

  private static void tell(VirtualMachineError failure) {
    LockSupport.parkNanos(PAUSE_NANOS);
    try {
      log.error("{} begins anew", Thread.currentThread().getName(), failure);
    } catch (VirtualMachineError e) {
      LockSupport.parkNanos(PAUSE_NANOS); // There is no memory to say so with.
    }
  }
}
