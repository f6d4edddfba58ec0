package io.leasehold.rest.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A stream that is closed when no data arrives for too long: Java's client has no timeout after the
 * headers, and a connection may die silently. Confined to one thread.
 */
final class PatientStream extends FilterInputStream {

  private static final int LOOKS = 4;
  private static final long NOT_READING = Long.MIN_VALUE;

  private final Duration patience;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** The time in nanoseconds when the current read began. */
  private volatile long readingSince = NOT_READING;

  private PatientStream(InputStream in, Duration patience) {
    super(in);
    this.patience = patience;
  }

  /** Wraps a stream and monitors it until it is closed. */
  static PatientStream over(InputStream in, Duration patience) {
    var stream = new PatientStream(in, patience);
    Thread.ofVirtual().name("patience").start(stream::lookAfter);
    return stream;
  }

  @Override
  public int read() throws IOException {
    readingSince = System.nanoTime();
    try {
      return super.read();
    } finally {
      readingSince = NOT_READING;
    }
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    readingSince = System.nanoTime();
    try {
      return super.read(bytes, offset, length);
    } finally {
      readingSince = NOT_READING;
    }
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    super.close();
  }

  private void lookAfter() {
    try {
      while (!closed.await(patience.toNanos() / LOOKS, TimeUnit.NANOSECONDS)) {
        if (isSilent(readingSince)) {
          close(); // Closing ends the read.
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      closed.countDown(); // It is closed or broken already.
    }
  }

  private boolean isSilent(long since) {
    return since != NOT_READING && System.nanoTime() - since > patience.toNanos();
  }
}
