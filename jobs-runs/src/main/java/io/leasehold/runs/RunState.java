package io.leasehold.runs;

/** How a run is that its runner knows of. */
public sealed interface RunState {

  /** It has not been started, though somebody was about to: whoever starts it now does so once. */
  record Prepared() implements RunState {}

  /** It runs. */
  record Running() implements RunState {}

  /**
   * It has ended.
   *
   * @param code what it ended with: 0 for success; of a process that a signal ended, 128 and more
   */
  record Exited(int code) implements RunState {}

  /** It was started and runs no more, and nobody knows how it ended: its machine went down. */
  record Gone() implements RunState {}
}
