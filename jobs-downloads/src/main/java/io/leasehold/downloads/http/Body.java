package io.leasehold.downloads.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The body of a response. It ends only where the server says so: a connection that is closed
 * earlier causes an {@link EOFException}. Confined to one thread.
 */
public final class Body {

  private static final Pattern CHUNK = Pattern.compile("([0-9a-fA-F]{1,15})[ \\t]*(;.*)?");
  private static final int LINE_MOST = 4_096;
  private static final int TRAILERS_MOST = 64 << 10;
  private static final int HEXADECIMAL = 16;

  private final InputStream in;
  private final boolean isChunked;
  private long left;
  private boolean ended;

  private Body(InputStream in, boolean isChunked, long left) {
    this.in = in;
    this.isChunked = isChunked;
    this.left = left;
  }

  static Body of(InputStream in, OptionalLong length) {
    return new Body(in, length.isEmpty(), length.orElse(0));
  }

  /** Reads some bytes and returns their number, or -1 at the end. */
  public int read(byte[] bytes) throws IOException {
    if (left == 0 && !ended) {
      next();
    }
    if (ended) {
      return -1;
    }
    var count = in.read(bytes, 0, (int) Math.min(bytes.length, left));
    if (count < 0) {
      throw cut();
    }
    left -= count;
    if (isChunked && left == 0) {
      endChunk();
    }
    return count;
  }

  private void next() throws IOException {
    if (!isChunked) {
      ended = true;
      return;
    }
    var size = CHUNK.matcher(new Head.Lines(in, LINE_MOST).next());
    if (!size.matches()) {
      throw new ProtocolException("the server sends a chunk that is none");
    }
    left = Long.parseLong(size.group(1), HEXADECIMAL);
    if (left == 0) {
      ended = true;
      passTrailers();
    }
  }

  private void endChunk() throws IOException {
    if (!new Head.Lines(in, LINE_MOST).next().isEmpty()) {
      throw new ProtocolException("the server sends a chunk without an end");
    }
  }

  private void passTrailers() throws IOException {
    var lines = new Head.Lines(in, TRAILERS_MOST);
    while (!lines.next().isEmpty()) {
      // Trailers are ignored.
    }
  }

  private EOFException cut() {
    return new EOFException("the server closed the connection before the end");
  }
}
