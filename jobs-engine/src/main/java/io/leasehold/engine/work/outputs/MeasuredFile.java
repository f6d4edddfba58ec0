package io.leasehold.engine.work.outputs;

import io.leasehold.engine.work.outputs.files.Digest;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.OutputStore;
import java.io.IOException;
import java.io.OutputStream;

/** A file that is being written, and how large it is. Belongs to one thread. */
final class MeasuredFile extends OutputStream {

  private final OutputStore.NewFile file;
  private final long most;
  private final Digest digest = new Digest();
  private long size;

  MeasuredFile(OutputStore.NewFile file, long most) {
    this.file = file;
    this.most = most;
  }

  /** Returns if a file may have so many bytes. */
  static void requireWithin(long most, long size) {
    if (size > most) {
      throw new JobsException(
          ErrorCode.TOO_LARGE,
          "a file of a job must have at most %d bytes, not %d or more".formatted(most, size),
          new JobsException.Limit(most, size));
    }
  }

  @Override
  public void write(int its) throws IOException {
    write(new byte[] {(byte) its}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    requireWithin(most, size + count);
    file.write(bytes, offset, count);
    digest.add(bytes, offset, count);
    size += count;
  }

  /** Ends it, once it is safe. */
  Written end() throws IOException {
    file.sync();
    return new Written(size, digest.hexadecimal());
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /**
   * What was written.
   *
   * @param size in bytes
   * @param sha256 of them
   */
  record Written(long size, String sha256) {}
}
