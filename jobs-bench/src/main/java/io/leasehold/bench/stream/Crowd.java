package io.leasehold.bench.stream;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Any number of clients of server-sent events on one thread: each has its own connection, and
 * buffers no more than the bytes of the line that it is about to read.
 */
public final class Crowd implements AutoCloseable {

  private static final int BUFFER = 64 << 10;

  private final Selector selector;
  private final InetSocketAddress server;
  private final Heard heard;
  private final Thread thread = new Thread(this::listen, "crowd");
  private final List<SocketChannel> channels = new ArrayList<>();
  private final AtomicInteger streaming = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicReference<@Nullable String> refusal = new AtomicReference<>();
  private volatile boolean closed;

  /** Receives each line of data, with the time at which it was read. */
  public interface Heard {
    void line(String line, long nanoTime);
  }

  /** Creates an empty crowd. */
  public Crowd(int port, Heard heard) throws IOException {
    this.selector = Selector.open();
    this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.heard = heard;
    thread.setDaemon(true);
    thread.start();
  }

  /** Adds a client that requests this path. */
  public void join(String path, String token) throws IOException {
    var channel = SocketChannel.open(server);
    channels.add(channel);
    var request =
        """
        GET %s HTTP/1.1\r
        Host: 127.0.0.1\r
        Accept: text/event-stream\r
        Authorization: Bearer %s\r
        \r
        """
            .formatted(path, token);
    var bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, new Client());
    selector.wakeup();
  }

  /** Returns how many clients have a response that has not ended. */
  public int streaming() {
    var refused = refusal.get();
    if (refused != null) {
      throw new IllegalStateException("a client was refused: " + refused);
    }
    return streaming.get() - ended.get();
  }

  private void listen() {
    var buffer = ByteBuffer.allocateDirect(BUFFER);
    while (!closed) {
      try {
        selector.select(key -> read(key, buffer));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void read(SelectionKey key, ByteBuffer buffer) {
    var client = (Client) key.attachment();
    try {
      var channel = (SocketChannel) key.channel();
      buffer.clear();
      var count = channel.read(buffer);
      var now = System.nanoTime();
      if (count < 0) {
        ended.incrementAndGet();
        key.cancel();
        return;
      }
      buffer.flip();
      while (buffer.hasRemaining()) {
        client.read((char) (buffer.get() & 0xff), now);
      }
    } catch (IOException e) {
      ended.incrementAndGet();
      key.cancel();
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    selector.wakeup();
    Uninterruptibles.joinUninterruptibly(thread);
    for (var channel : channels) {
      channel.close();
    }
    selector.close();
  }

  /** One client: reads the status, skips the headers, and then reads the lines in all chunks. */
  private final class Client {

    private static final int HEX = 16;

    private final StringBuilder line = new StringBuilder(0);
    private final StringBuilder rest = new StringBuilder(0);
    private Part part = Part.STATUS;
    private int left;

    void read(char next, long now) {
      if (part == Part.CHUNK) {
        left--;
      }
      if (next != '\n') {
        line.append(next);
      } else if (part == Part.CHUNK) {
        tell(now);
      } else {
        goOn(end());
      }
      if (part == Part.CHUNK && left == 0) {
        part = Part.BEHIND_CHUNK;
        rest.append(end());
      }
    }

    private void tell(long now) {
      var whole = rest + end();
      rest.setLength(0);
      rest.trimToSize();
      if (whole.startsWith("data:")) {
        heard.line(whole, now);
      }
    }

    private void goOn(String whole) {
      switch (part) {
        case STATUS -> {
          streaming.incrementAndGet();
          if (!whole.startsWith("HTTP/1.1 200")) {
            refusal.compareAndSet(null, whole);
          }
          part = Part.HEADERS;
        }
        case HEADERS -> part = whole.isBlank() ? Part.SIZE : Part.HEADERS;
        case SIZE -> {
          left = Integer.parseInt(whole.strip(), HEX);
          part = left == 0 ? Part.HEADERS : Part.CHUNK;
        }
        case BEHIND_CHUNK -> part = Part.SIZE;
        case CHUNK -> throw new IllegalStateException("a line of a chunk is told");
      }
    }

    private String end() {
      var whole = line.toString();
      line.setLength(0);
      line.trimToSize();
      return whole;
    }
  }

  private enum Part {
    STATUS,
    HEADERS,
    SIZE,
    CHUNK,
    BEHIND_CHUNK
  }
}
