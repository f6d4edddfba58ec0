package io.leasehold.engine.threads;

import io.leasehold.engine.log.PeriodicTaskLog;
import io.leasehold.jobs.JobsException;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.slf4j.LoggerFactory;

/** Runs work again and again, despite errors, until its thread is interrupted. */
public final class PeriodicTask implements Runnable {

  private static final Duration RETRY_EVERY = Duration.ofSeconds(1);

  private final PeriodicTaskLog log;
  private final Duration every;
  private final RandomGenerator random;
  private final Runnable work;
  private final Signal hurry = new Signal();

  /**
   * Creates a periodic task.
   *
   * @param every the pause between two runs, limited to one second after the database failed;
   *     shortened at random by up to a fifth, so that the processes do not run in step
   */
  public PeriodicTask(String name, Duration every, RandomGenerator random, Runnable work) {
    this.log = new PeriodicTaskLog(LoggerFactory.getLogger(PeriodicTask.class), name);
    this.every = every;
    this.random = random;
    this.work = work;
  }

  @Override
  public void run() {
    try {
      while (true) {
        var pause = once();
        hurry.await(Pauses.shortened(pause, 0.2, random));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts the next run without a pause. */
  public void hurry() {
    hurry.ring();
  }

  // Work that failed in the database is retried as soon as possible: a renewal must not wait for a
  // third of a lease, nor the partitions of a day for an hour.
  private Duration once() {
    try {
      work.run();
      log.succeeded();
    } catch (JobsException e) {
      log.failed(e);
      return every.compareTo(RETRY_EVERY) < 0 ? every : RETRY_EVERY;
    } catch (RuntimeException e) {
      log.failed(e);
    }
    return every;
  }
}
