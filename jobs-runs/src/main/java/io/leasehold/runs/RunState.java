package io.leasehold.runs;

/** The state of a run that its runner knows. */
public sealed interface RunState {

  /** The run is prepared but has not been started. However often it is started, it starts once. */
  record Prepared() implements RunState {}

  /** The run is running. */
  record Running() implements RunState {}

  /**
   * The run has ended.
   *
   * @param code the exit code: 0 for success, 128 or more for a process that a signal ended
   */
  record Exited(int code) implements RunState {}

  /** The run was started and no longer runs, and its outcome is unknown: its machine went down. */
  record Gone() implements RunState {}
}
