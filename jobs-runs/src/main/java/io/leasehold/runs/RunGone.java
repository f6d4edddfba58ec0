package io.leasehold.runs;

import java.io.Serial;

/**
 * Thrown by a {@link RunHandler} when its run no longer exists and its outcome is unknown. The
 * retry policy of its job decides, as after any failure.
 */
public final class RunGone extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  RunGone(int attempt) {
    super("the run of attempt %d is gone, and how it ended is unknown".formatted(attempt));
  }
}
