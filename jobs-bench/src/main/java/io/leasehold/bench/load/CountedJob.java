package io.leasehold.bench.load;

import io.leasehold.bench.Payload;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobType;
import jakarta.inject.Inject;
import java.util.function.IntConsumer;

/** Does nothing except count itself. */
final class CountedJob implements JobHandler<Payload, Boolean> {

  static final JobType<Payload, Boolean> TYPE =
      JobType.restartable(
          "gts.x.core.jobs.handler.v1~leasehold.bench.load.counted.v1",
          Payload.class,
          Boolean.class);

  private final Counting counting;

  @Inject
  CountedJob(Counting counting) {
    this.counting = counting;
  }

  /** Receives the number of each job that runs. */
  interface Counting extends IntConsumer {}

  @Override
  public Boolean run(JobContext job, Payload input) {
    counting.accept(input.number());
    return true;
  }
}
