package io.leasehold.engine.log;

/** The keys of what a line says of the job that it is about, from a handler as from the engine. */
public final class LogKeys {

  /** The job's id. */
  public static final String JOB = "job";

  /** The handler's id, as the job was submitted. */
  public static final String HANDLER = "handler";

  /** Whose job it is. */
  public static final String TENANT = "tenant";

  /** Which attempt, 1 for the first. */
  public static final String ATTEMPT = "attempt";

  /** The correlation id of the submission. */
  public static final String CORRELATION = "correlation";

  private LogKeys() {}
}
