package io.leasehold.jobs;

import java.io.IOException;
import java.io.OutputStream;

/** Writes a file, once. */
@FunctionalInterface
public interface OutputWriter {

  /**
   * Writes all of it.
   *
   * @param out buffered; not to be closed, nor used after the return
   */
  void write(OutputStream out) throws IOException;
}
