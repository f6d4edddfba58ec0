package io.leasehold.rest.stream;

import io.leasehold.jobs.TenantId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits concurrent turns. Requests wait in a line for each tenant, and the lines are served
 * round-robin, so that a thousand requests of one tenant do not delay another tenant's single
 * request. Safe to share between threads.
 */
final class FairTurns {

  private final ReentrantLock lock = new ReentrantLock();

  /** The lines with waiting requests; the first is served next. Guarded by the lock. */
  private final LinkedHashMap<TenantId, ArrayDeque<Waiter>> lines = new LinkedHashMap<>();

  /**
   * The number of free turns, zero while a request waits: a turn that ends is handed on. Guarded by
   * the lock.
   */
  private int free;

  FairTurns(int atATime) {
    free = atATime;
  }

  /**
   * Begins a turn, which has to be ended.
   *
   * @return whether a turn became free in time
   */
  boolean begin(TenantId tenant, Duration most) throws InterruptedException {
    lock.lock();
    try {
      if (free > 0) {
        free--;
        return true;
      }
      var waiter = new Waiter(lock.newCondition());
      lines.computeIfAbsent(tenant, _ -> new ArrayDeque<>()).addLast(waiter);
      return isServed(tenant, waiter, most);
    } finally {
      lock.unlock();
    }
  }

  /** Ends a turn. */
  void end() {
    lock.lock();
    try {
      handOn();
    } finally {
      lock.unlock();
    }
  }

  /** The number of waiting requests. */
  int waiting() {
    lock.lock();
    try {
      return lines.values().stream().mapToInt(ArrayDeque::size).sum();
    } finally {
      lock.unlock();
    }
  }

  private boolean isServed(TenantId tenant, Waiter waiter, Duration most)
      throws InterruptedException {
    var left = most.toNanos();
    try {
      while (!waiter.served && left > 0) {
        left = waiter.called.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      if (waiter.served) {
        handOn();
      }
      throw e;
    } finally {
      if (!waiter.served) {
        leave(tenant, waiter);
      }
    }
    return waiter.served;
  }

  private void handOn() {
    var next = lines.pollFirstEntry();
    if (next == null) {
      free++;
      return;
    }
    var line = next.getValue();
    var waiter = line.removeFirst();
    if (!line.isEmpty()) {
      lines.putLast(next.getKey(), line);
    }
    waiter.served = true;
    waiter.called.signal();
  }

  private void leave(TenantId tenant, Waiter waiter) {
    lines.computeIfPresent(
        tenant,
        (_, line) -> {
          line.remove(waiter);
          return line.isEmpty() ? null : line;
        });
  }

  /** A waiting request. */
  private static final class Waiter {

    private final Condition called;

    /** Guarded by the lock. */
    private boolean served;

    private Waiter(Condition called) {
      this.called = called;
    }
  }
}
