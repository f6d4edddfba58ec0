package io.leasehold.runs;

import java.io.Serial;

/** Thrown by a {@link RunHandler} when its run ended with an exit code that means failure. */
public final class RunFailed extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final int exitCode;

  /** The message has nothing of what was run, because a tenant's users may read it. */
  RunFailed(int attempt, int exitCode) {
    super("the run of attempt %d ended with code %d".formatted(attempt, exitCode));
    this.exitCode = exitCode;
  }

  /** The exit code. */
  public int exitCode() {
    return exitCode;
  }
}
