package io.leasehold.engine;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where files of jobs are kept, and how large they may be. Immutable; each method returns a changed
 * copy.
 *
 * @param folder that all processes share which run, serve or maintain; default none: jobs can leave
 *     no files, unless an {@link io.leasehold.jobs.OutputStore} is bound
 * @param bytesMost how many bytes a file has at most; default a gibibyte
 */
public record OutputConfig(Optional<Path> folder, long bytesMost) {

  private static final long BYTES_MOST = 1L << 50;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if one does not hold
   */
  public OutputConfig {
    if (bytesMost < 1 || bytesMost > BYTES_MOST) {
      throw new IllegalArgumentException(
          "bytesMost must be 1 to %d, not %d".formatted(BYTES_MOST, bytesMost));
    }
  }

  /** The defaults. */
  public static OutputConfig defaults() {
    return new OutputConfig(Optional.empty(), 1L << 30);
  }

  /** The folder; it is made when it is needed, readable by its owner alone. */
  public OutputConfig folder(Path folder) {
    return new OutputConfig(Optional.of(folder), bytesMost);
  }

  /** How many bytes a file has at most: 1 to a pebibyte. */
  public OutputConfig bytesMost(long bytesMost) {
    return new OutputConfig(folder, bytesMost);
  }
}
