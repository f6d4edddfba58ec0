package io.leasehold.arch.planted;

/** Names that say nothing, and names that only look so. */
@SuppressWarnings("UnusedNestedClass")
public final class Names {

  private Names() {}

  /** Manages. */
  public interface JobManager {}

  /** Helps. */
  public interface JobHelper {}

  /** Is of use. */
  public interface JobUtil {}

  /** Is of much use. */
  public interface JobUtils {}

  /** Implements. */
  public interface JobImpl {}

  /** Lies beneath. */
  public interface BaseJob {}

  /** Is vague. */
  public interface AbstractJob {}

  /** Is shared. */
  public interface CommonJob {}

  /** Is stored. */
  public interface JobData {}

  /** Informs. */
  public interface JobInfo {}

  /** Processes. */
  public interface HTTPProcessor {}

  /** Is an interface. */
  public interface IJob {}

  /** A clean twin. */
  public interface Database {}

  /** A clean twin. */
  public interface Identity {}

  /** A clean twin. */
  public interface InformedBasement {}
}
