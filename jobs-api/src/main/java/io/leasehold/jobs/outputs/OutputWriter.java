package io.leasehold.jobs.outputs;

import java.io.IOException;
import java.io.OutputStream;

/** Writes the content of a file, once. */
@FunctionalInterface
public interface OutputWriter {

  /**
   * Writes the whole content.
   *
   * @param out a buffered stream; the writer must neither close it nor use it after returning
   */
  void write(OutputStream out) throws IOException;
}
