package io.leasehold.engine.log;

import io.leasehold.engine.kernel.ClaimedJob;
import org.slf4j.spi.LoggingEventBuilder;

/** Adds a job's keys to log lines from the engine's own threads. */
public final class AboutJob {

  private AboutJob() {}

  /** Adds the job, with the same keys as its handler's own log lines. */
  public static LoggingEventBuilder at(LoggingEventBuilder line, ClaimedJob job) {
    var about =
        line.addKeyValue(LogKeys.JOB, job.id())
            .addKeyValue(LogKeys.HANDLER, job.handlerId())
            .addKeyValue(LogKeys.TENANT, job.tenant())
            .addKeyValue(LogKeys.ATTEMPT, job.attempt());
    return job.correlationId()
        .map(correlation -> about.addKeyValue(LogKeys.CORRELATION, correlation))
        .orElse(about);
  }
}
