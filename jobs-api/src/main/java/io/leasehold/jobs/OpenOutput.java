package io.leasehold.jobs;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/**
 * A file of a job that is being read.
 *
 * @param about which it is
 * @param bytes of it, from its beginning; to skip some takes no time
 */
public record OpenOutput(JobOutput about, InputStream bytes) implements Closeable {

  /** Closes it; repeated, it does nothing. */
  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
