package io.leasehold.engine.log;

import io.leasehold.engine.kernel.ClaimedJob;
import org.slf4j.spi.LoggingEventBuilder;

/** Says of a line that the engine's own threads log which job it is about. */
public final class AboutJob {

  private AboutJob() {}

  /** Adds the job, with the keys that its handler's own lines have. */
  public static LoggingEventBuilder at(LoggingEventBuilder line, ClaimedJob job) {
    var about =
        line.addKeyValue(LogKeys.JOB, job.id())
            .addKeyValue(LogKeys.HANDLER, job.handlerId())
            .addKeyValue(LogKeys.TENANT, job.tenant())
            .addKeyValue(LogKeys.ATTEMPT, job.attempt());
    return job.correlationId()
        .map(its -> about.addKeyValue(LogKeys.CORRELATION, its))
        .orElse(about);
  }
}
