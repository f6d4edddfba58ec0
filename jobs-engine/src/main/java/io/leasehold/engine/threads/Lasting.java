package io.leasehold.engine.threads;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs work that only an interrupt ends. If the work fails for lack of memory, as when a handler
 * used up all of it, the work starts again.
 */
public final class Lasting implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(Lasting.class);
  private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

  private final Runnable work;

  private Lasting(Runnable work) {
    this.work = work;
  }

  /** Starts the work on its own platform thread, which is a daemon. */
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
      log.error("thread {} failed and starts again", Thread.currentThread().getName(), failure);
    } catch (VirtualMachineError e) {
      LockSupport.parkNanos(PAUSE_NANOS); // There is no memory left for logging.
    }
  }
}
