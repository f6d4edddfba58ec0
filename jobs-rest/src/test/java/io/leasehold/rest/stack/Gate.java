package io.leasehold.rest.stack;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** Some work that tells an event each time a test lets it, and ends when a test lets it. */
public final class Gate implements JobHandler<String, Object> {

  private final Semaphore steps = new Semaphore(0);
  private volatile boolean open;

  /** Lets the job write {@code count} more events. */
  public void step(int count) {
    steps.release(count);
  }

  /** Lets it end. */
  public void open() {
    open = true;
    steps.release();
  }

  @Override
  public Object run(JobContext job, String name) throws InterruptedException {
    var count = 0;
    while (true) {
      steps.acquire();
      if (open) {
        return count;
      }
      count++;
      job.event("log", Map.of("n", count));
    }
  }
}
