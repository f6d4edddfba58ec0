package io.leasehold.engine.log;

/** The keys that identify a line's job, in the log lines of handlers and of the engine. */
public final class LogKeys {

  /** The job's id. */
  public static final String JOB = "job";

  /** The handler's id, as the job was submitted. */
  public static final String HANDLER = "handler";

  /** The tenant that owns the job. */
  public static final String TENANT = "tenant";

  /** The number of the attempt, 1 for the first. */
  public static final String ATTEMPT = "attempt";

  /** The correlation id of the submission. */
  public static final String CORRELATION = "correlation";

  private LogKeys() {}
}
