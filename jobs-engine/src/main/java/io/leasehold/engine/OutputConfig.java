package io.leasehold.engine;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Configures where job files are stored and how large they may be. Immutable; each method returns a
 * modified copy.
 *
 * @param folder a folder that is shared by all processes that run jobs, serve files or perform
 *     maintenance; default none: jobs cannot store files, unless an {@link
 *     io.leasehold.jobs.outputs.OutputStore} is bound
 * @param bytesMost the maximum size of a file in bytes; default a gibibyte
 */
public record OutputConfig(Optional<Path> folder, long bytesMost) {

  private static final long BYTES_MOST = 1L << 50;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if a value is out of bounds
   */
  public OutputConfig {
    if (bytesMost < 1 || bytesMost > BYTES_MOST) {
      throw new IllegalArgumentException(
          "bytesMost must be 1 to %d, not %d".formatted(BYTES_MOST, bytesMost));
    }
  }

  /** Returns the default configuration. */
  public static OutputConfig defaults() {
    return new OutputConfig(Optional.empty(), 1L << 30);
  }

  /** Sets the folder. It is created when first needed, readable by its owner only. */
  public OutputConfig folder(Path folder) {
    return new OutputConfig(Optional.of(folder), bytesMost);
  }

  /** Sets the maximum size of a file in bytes: 1 to a pebibyte. */
  public OutputConfig bytesMost(long bytesMost) {
    return new OutputConfig(folder, bytesMost);
  }
}
