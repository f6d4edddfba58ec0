package io.leasehold.runs;

import java.io.Serial;

/** Thrown by a {@link RunHandler} when its run ended with a code that means failure. */
public final class RunFailed extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final int exitCode;

  /** Says nothing of what was run, for a tenant's people may read it. */
  RunFailed(int attempt, int exitCode) {
    super("the run of attempt %d ended with code %d".formatted(attempt, exitCode));
    this.exitCode = exitCode;
  }

  /** What it ended with. */
  public int exitCode() {
    return exitCode;
  }
}
