package io.leasehold.runs;

import java.io.Serial;

/**
 * Thrown by a {@link RunHandler} when its run is not there any more, and nobody knows how it ended.
 * The retry policy of its job decides, as after any failure.
 */
public final class RunGone extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  RunGone(int attempt) {
    super("the run of attempt %d is gone, and nobody knows how it ended".formatted(attempt));
  }
}
