package io.leasehold.engine.run;

import io.leasehold.jobs.JobsException;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does something again and again, whatever happens, until its thread is interrupted. */
public final class Chore implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(Chore.class);

  private final String name;
  private final Duration every;
  private final RandomGenerator random;
  private final Runnable work;
  private final Signal hurry = new Signal();

  /**
   * What to do how often.
   *
   * @param every the pause in between; shortened by chance by up to a fifth, so that many processes
   *     do not keep step
   */
  public Chore(String name, Duration every, RandomGenerator random, Runnable work) {
    this.name = name;
    this.every = every;
    this.random = random;
    this.work = work;
  }

  @Override
  public void run() {
    try {
      while (true) {
        once();
        hurry.await(Duration.ofNanos((long) (every.toNanos() * (0.8 + random.nextDouble() / 5))));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Does it again without a pause. */
  void hurry() {
    hurry.ring();
  }

  private void once() {
    try {
      work.run();
    } catch (JobsException e) {
      log.warn("{} failed, and is tried again: {}", name, e.getMessage());
    } catch (RuntimeException e) {
      log.error("{} failed, and is tried again", name, e);
    }
  }
}
