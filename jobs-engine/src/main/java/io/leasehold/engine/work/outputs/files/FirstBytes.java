package io.leasehold.engine.work.outputs.files;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The first {@code count} bytes of a stream; later bytes are ignored. Confined to one thread. */
public final class FirstBytes extends FilterInputStream {

  private long left;

  public FirstBytes(InputStream in, long count) {
    super(in);
    this.left = count;
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int count) throws IOException {
    if (left == 0) {
      return -1;
    }
    var read = super.read(bytes, offset, (int) Math.min(count, left));
    if (read < 0) {
      throw new EOFException("the file is %d bytes shorter than it was".formatted(left));
    }
    left -= read;
    return read;
  }

  @Override
  public long skip(long count) throws IOException {
    var skipped = super.skip(Math.min(count, left));
    left -= skipped;
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
