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
 * Limits how many jobs of a queue run at once, and buffers a few more claimed jobs. The buffer is
 * as large as the number of jobs finished in a recent tenth of a second, so that slots need not
 * wait for the next claim. With long jobs it is empty, so that no job waits here while another
 * worker could run it. Thread-safe.
 */
final class Slots {

  /** Maximum size of the buffer, as a multiple of the concurrency. */
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
   * Creates slots that are all free.
   *
   * @param start starts a job on its own thread, and runs the second argument when the job's slot
   *     is free. Running that again has no effect. Throws nothing
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
   * Creates slots that several queues share. The queues do not coordinate: a job waits here only if
   * its slot was taken while the job was being claimed.
   */
  static Slots shared(int concurrency, BiConsumer<RunningJob, Runnable> start) {
    return new Slots(concurrency, 0, start);
  }

  /** The number of jobs that may run at once. */
  int most() {
    return concurrency;
  }

  /** Returns how many more jobs can be taken now. */
  synchronized int room(long now) {
    turnWindow(now);
    var spare = Math.min(waitingMost, Math.max(doneBefore, doneInWindow));
    var room = Math.max(0, concurrency + spare - busy - waiting.size());
    // While buffered jobs remain to be started, it is better to wait for one large claim than to
    // make several small ones.
    return waiting.isEmpty() || room >= (concurrency + spare) / 2 ? room : 0;
  }

  /** Accepts jobs: those that find a free slot are started, the others wait. */
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

  /** Reserves a slot for a future job, if one is free. */
  synchronized boolean reserve() {
    if (busy == concurrency) {
      return false;
    }
    busy++;
    return true;
  }

  /** Starts a job in its reserved slot. */
  void startReserved(RunningJob job) {
    start(job);
  }

  /** Gives back a reserved slot that is not needed. */
  void giveBack() {
    free();
  }

  int concurrency() {
    return concurrency;
  }

  /** Frees a slot, and starts the longest-waiting job in it. */
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

  /** A taken slot. Running it several times frees the slot only once. */
  private final class Slot implements Runnable {

    private final AtomicBoolean isFree = new AtomicBoolean();

    @Override
    public void run() {
      if (isFree.compareAndSet(false, true)) {
        free();
      }
    }
  }

  /** Removes and returns the waiting jobs that were claimed before {@code before}. */
  synchronized List<RunningJob> takeWaitingSince(long before) {
    var old = waiting.stream().filter(held -> held.claimedAt() - before < 0).toList();
    waiting.removeAll(old);
    return old;
  }

  /** The number of running jobs. */
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
