package io.leasehold.jobs.outputs;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/**
 * A file of a job, opened for reading.
 *
 * @param about the description of the file
 * @param bytes the content, from the beginning; skipping bytes is fast
 */
public record OpenOutput(JobOutput about, InputStream bytes) implements Closeable {

  /** Closes the file; closing again has no effect. */
  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
