package io.leasehold.engine.work.outputs;

import io.leasehold.engine.work.outputs.files.Digest;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.outputs.OutputStore;
import java.io.IOException;
import java.io.OutputStream;

/** A file being written, with its size and digest. Confined to one thread. */
final class MeasuredFile extends OutputStream {

  private final OutputStore.NewFile file;
  private final long most;
  private final Digest digest = new Digest();
  private long size;

  MeasuredFile(OutputStore.NewFile file, long most) {
    this.file = file;
    this.most = most;
  }

  /** Checks that a file of {@code size} bytes is within the limit {@code most}. */
  static void requireWithin(long most, long size) {
    if (size > most) {
      throw new JobsException(
          ErrorCode.TOO_LARGE,
          "a file of a job must have at most %d bytes, not %d or more".formatted(most, size),
          new JobsException.Limit(most, size));
    }
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    requireWithin(most, size + count);
    file.write(bytes, offset, count);
    digest.add(bytes, offset, count);
    size += count;
  }

  /** Finishes the file: syncs it, and returns its size and digest. */
  Written end() throws IOException {
    file.sync();
    return new Written(size, digest.hexadecimal());
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /**
   * The written bytes.
   *
   * @param size the number of bytes
   * @param sha256 the SHA-256 of the bytes
   */
  record Written(long size, String sha256) {}
}
