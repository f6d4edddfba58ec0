package io.leasehold.engine.threads;

import io.leasehold.engine.log.PeriodicTaskLog;
import io.leasehold.jobs.JobsException;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.slf4j.LoggerFactory;

/** Does something again and again, whatever happens, until its thread is interrupted. */
public final class PeriodicTask implements Runnable {

  private static final Duration RETRY_EVERY = Duration.ofSeconds(1);

  private final PeriodicTaskLog log;
  private final Duration every;
  private final RandomGenerator random;
  private final Runnable work;
  private final Signal hurry = new Signal();

  /**
   * What to do how often.
   *
   * @param every the pause in between, and a second at most after what the database could not do;
   *     shortened by chance by up to a fifth, so that many processes do not keep step
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
        hurry.await(Duration.ofNanos((long) (pause.toNanos() * (0.8 + random.nextDouble() / 5))));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Does it again without a pause. */
  public void hurry() {
    hurry.ring();
  }

  // What the database could not do is done as soon as it can: a renewal must not wait for a third
  // of a lease, nor the partitions of a day for an hour.
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
