package io.leasehold.engine.work.run;

import io.leasehold.engine.work.attempt.RunningJob;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * How many jobs of a queue run at once, and a few that wait for those: as many as were done lately
 * in a tenth of a second, so that the slots need not wait for the next claim. With jobs that take
 * long it is none, and no job waits here that another worker could run. Safe to share.
 */
final class Slots {

  /** So many times the jobs that run at once may wait here. */
  private static final int WAITING_TIMES = 10;

  private static final long WINDOW_NANOS = 100_000_000;

  private final int concurrency;
  private final int waitingMost;
  private final BiConsumer<RunningJob, Runnable> start;

  // Guarded by this.
  private final Deque<RunningJob> waiting = new ArrayDeque<>();
  private int busy;
  private long windowEnd;
  private int doneInWindow;
  private int doneBefore;

  /**
   * All free.
   *
   * @param start starts a job on a thread of its own, and runs the second when its slot is free: a
   *     repeat frees nothing. Throws nothing
   */
  Slots(int concurrency, BiConsumer<RunningJob, Runnable> start) {
    this(concurrency, WAITING_TIMES * concurrency, start);
  }

  private Slots(int concurrency, int waitingMost, BiConsumer<RunningJob, Runnable> start) {
    this.concurrency = concurrency;
    this.waitingMost = waitingMost;
    this.start = start;
  }

  /**
   * Slots that several take from, each without a look at what the others take: a job waits here
   * only if its slot was taken while it was claimed.
   */
  static Slots shared(int concurrency, BiConsumer<RunningJob, Runnable> start) {
    return new Slots(concurrency, 0, start);
  }

  /** How many jobs run at once. */
  int most() {
    return concurrency;
  }

  /** How many more jobs can be taken now. */
  synchronized int room(long now) {
    turnWindow(now);
    var spare = Math.min(waitingMost, Math.max(doneBefore, doneInWindow));
    var room = Math.max(0, concurrency + spare - busy - waiting.size());
    // As long as there is something to start, a claim of a few can wait for a claim of many.
    return waiting.isEmpty() || room >= (concurrency + spare) / 2 ? room : 0;
  }

  /** Takes jobs in: those that find a slot are started, the others wait for one. */
  void take(Collection<RunningJob> jobs) {
    List<RunningJob> started = new ArrayList<>(jobs.size());
    synchronized (this) {
      for (var job : jobs) {
        if (busy < concurrency) {
          started.add(job);
          busy++;
        } else {
          waiting.add(job);
        }
      }
    }
    started.forEach(this::start);
  }

  /** Takes a slot for a job that is not there yet, if one is free. */
  synchronized boolean reserve() {
    if (busy == concurrency) {
      return false;
    }
    busy++;
    return true;
  }

  /** Starts a job in a slot that was reserved for it. */
  void startReserved(RunningJob job) {
    start(job);
  }

  /** Gives a slot back that was reserved, and not needed. */
  void giveBack() {
    free();
  }

  int concurrency() {
    return concurrency;
  }

  /** Frees a slot, for the one that waits longest. */
  private void free() {
    RunningJob next;
    synchronized (this) {
      turnWindow(System.nanoTime());
      doneInWindow++;
      next = waiting.poll();
      if (next == null) {
        busy--;
      }
    }
    if (next != null) {
      start(next);
    }
  }

  private void start(RunningJob job) {
    start.accept(job, new Slot());
  }

  /** A slot that is taken. Freed once, however often it is run. */
  private final class Slot implements Runnable {

    private final AtomicBoolean isFree = new AtomicBoolean();

    @Override
    public void run() {
      if (isFree.compareAndSet(false, true)) {
        free();
      }
    }
  }

  /** Takes out what waits since before then. */
  synchronized List<RunningJob> takeWaitingSince(long before) {
    var old = waiting.stream().filter(held -> held.claimedAt() - before < 0).toList();
    waiting.removeAll(old);
    return old;
  }

  /** How many jobs run. */
  synchronized int busy() {
    return busy;
  }

  synchronized boolean areAllFree() {
    return busy == 0 && waiting.isEmpty();
  }

  private void turnWindow(long now) {
    if (now - windowEnd >= 0) {
      doneBefore = now - windowEnd < WINDOW_NANOS ? doneInWindow : 0;
      doneInWindow = 0;
      windowEnd = now + WINDOW_NANOS;
    }
  }
}
