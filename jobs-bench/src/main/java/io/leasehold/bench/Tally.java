package io.leasehold.bench;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/** Counts how often each job ran, and records its first run. Safe to share between threads. */
public final class Tally {

  private static final long LOOK_NANOS = 500_000;

  private final AtomicIntegerArray runs;
  private final long[] firstAt;
  private final AtomicInteger ran = new AtomicInteger();

  /** Creates a tally for jobs with numbers below {@code jobs}. */
  public Tally(int jobs) {
    this.runs = new AtomicIntegerArray(jobs);
    this.firstAt = new long[jobs];
  }

  /** The number of jobs. */
  public int jobs() {
    return runs.length();
  }

  /** Counts a run of a job. */
  public void run(int number) {
    var now = System.nanoTime();
    if (runs.getAndIncrement(number) == 0) {
      firstAt[number] = now;
    }
    ran.getAndIncrement();
  }

  /** Returns the number of runs so far. */
  public int count() {
    return ran.get();
  }

  /** Returns when a job first ran, by {@link System#nanoTime}; read once all jobs have run. */
  public long ranAt(int number) {
    return firstAt[number];
  }

  /** Waits until {@code count} runs are counted. */
  public void await(int count, Duration most) throws TimeoutException {
    var deadline = System.nanoTime() + most.toNanos();
    while (ran.get() < count) {
      requireBefore(deadline, "%d of %d jobs ran".formatted(ran.get(), count));
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** Waits until the contender has finished all jobs, and checks that each ran exactly once. */
  public void awaitAllDone(Contender contender, Duration most) throws TimeoutException {
    await(runs.length(), most);
    var deadline = System.nanoTime() + most.toNanos();
    while (!contender.isDone()) {
      requireBefore(deadline, contender.name() + " is not done");
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /**
   * Checks that each job ran exactly once, according to both the handler and the database.
   *
   * @throws IllegalStateException if not
   */
  public void requireEachOnce(Contender contender) {
    for (int i = 0; i < runs.length(); i++) {
      if (runs.get(i) != 1) {
        throw new IllegalStateException(
            "%s ran job %d %d times".formatted(contender.name(), i, runs.get(i)));
      }
    }
    if (contender.succeeded() != runs.length()) {
      throw new IllegalStateException(
          "%s has %d jobs that succeeded, not %d"
              .formatted(contender.name(), contender.succeeded(), runs.length()));
    }
  }

  private static void requireBefore(long deadline, String what) throws TimeoutException {
    if (System.nanoTime() - deadline >= 0) {
      throw new TimeoutException(what);
    }
  }
}
