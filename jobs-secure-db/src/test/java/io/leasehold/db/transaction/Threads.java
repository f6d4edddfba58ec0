package io.leasehold.db.transaction;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs things beside the test's own thread. */
final class Threads {

  private static final int LIMIT_SECONDS = 180;

  private Threads() {}

  static <T> FutureTask<T> start(Callable<T> work) {
    var task = new FutureTask<>(work);
    Thread.startVirtualThread(task);
    return task;
  }

  /** Waits for what runs in another thread, and throws what it throws. */
  static <T> T inAnother(Callable<T> work) {
    return result(start(work));
  }

  static <T> T result(FutureTask<T> task) {
    try {
      return task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      throw new AssertionError(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("no result within %d s".formatted(LIMIT_SECONDS), e);
    }
  }
}
