package io.leasehold.bench.stream;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobType;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/** Runs until it is told to end, and reports the time whenever it is asked to. */
public final class TickJob implements JobHandler<String, Boolean> {

  public static final JobType<String, Boolean> TYPE =
      JobType.restartable(
          "gts.x.core.jobs.handler.v1~leasehold.bench.stream.tick.v1", String.class, Boolean.class);

  private final Map<JobId, BlockingQueue<Boolean>> running = new ConcurrentHashMap<>();

  @Override
  public Boolean run(JobContext job, String input) throws InterruptedException {
    var orders = new LinkedBlockingQueue<Boolean>();
    running.put(job.id(), orders);
    while (orders.take()) {
      job.event("tick", Map.of("sent", System.nanoTime()));
    }
    return true;
  }

  /** Returns how many of these jobs are running. */
  public int running() {
    return running.size();
  }

  /** Makes a job report the time, now. */
  public void tick(JobId job) {
    Objects.requireNonNull(running.get(job), "the job does not run").add(true);
  }

  /** Ends all jobs. */
  public void end() {
    running.values().forEach(orders -> orders.add(false));
    running.clear();
  }
}
