package io.leasehold.downloads;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Serves one file over HTTP, by parts, and remembers what it was asked and which bytes it sent.
 * Answers otherwise, or cuts off, where it was told to.
 */
final class FileServer implements AutoCloseable {

  private final ServerSocket server;
  private final String scheme;
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final Queue<Answer> next = new ConcurrentLinkedQueue<>();
  private volatile Version version;
  private volatile boolean givesParts = true;

  /** How often each byte of the file was sent. */
  private volatile AtomicIntegerArray sent;

  /** What is served, and the headers that tell one version from another. */
  private static final class Version {

    private final byte[] file;
    private final List<String> headers;

    private Version(byte[] file, String... headers) {
      this.file = file;
      this.headers = List.of(headers);
    }
  }

  /**
   * What was asked.
   *
   * @param line the first of it
   * @param headers by their names in small letters
   */
  record Request(String line, Map<String, String> headers) {

    /** From which byte on. */
    long from() {
      return Optional.ofNullable(headers.get("range"))
          .map(range -> Long.parseLong(range.replaceAll("bytes=(\\d+)-", "$1")))
          .orElse(0L);
    }
  }

  /** What is answered instead of the file. */
  @FunctionalInterface
  interface Answer {
    void give(Request request, OutputStream out) throws IOException, InterruptedException;
  }

  private FileServer(ServerSocket server, String scheme, Version version) {
    this.server = server;
    this.scheme = scheme;
    this.version = version;
    this.sent = new AtomicIntegerArray(version.file.length);
    Thread.ofVirtual().start(this::serve);
  }

  /** On a port of its own on the loopback address. */
  static FileServer of(byte[] file) throws IOException {
    var socket = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    return new FileServer(socket, "http", new Version(file, "ETag: \"one\""));
  }

  /** On a socket that is there, with TLS. */
  static FileServer secure(ServerSocket socket, byte[] file) {
    return new FileServer(socket, "https", new Version(file, "ETag: \"one\""));
  }

  /** Where the file is, with what must not be told of it. */
  URI url() {
    return url("127.0.0.1");
  }

  URI url(String host) {
    return URI.create(
        "%s://%s:%d/secret-path/file?key=secret-query".formatted(scheme, host, port()));
  }

  int port() {
    return server.getLocalPort();
  }

  /** Serves another file from now on. */
  void serve(byte[] file, String... headers) {
    version = new Version(file, headers);
    sent = new AtomicIntegerArray(file.length);
  }

  /** Gives the whole, whatever part is asked for. */
  void givesNoParts() {
    givesParts = false;
  }

  /** Ends the connection when the next answer has come to a byte of the file. */
  void cutAt(int place) {
    next.add((request, out) -> send(request, out, place));
  }

  /** Answers the next request so. */
  void answer(Answer answer) {
    next.add(answer);
  }

  /** Answers the next request so, and no more. */
  void answer(String... lines) {
    next.add((_, out) -> out.write(String.join("\r\n", lines).getBytes(ISO_8859_1)));
  }

  List<Request> requests() {
    return List.copyOf(requests);
  }

  /** How often the one of the first bytes was sent that was sent most often. */
  int mostSent(int first) {
    var most = 0;
    for (var i = 0; i < first; i++) {
      most = Math.max(most, sent.get(i));
    }
    return most;
  }

  /** Sends the file, or the part that is asked for, up to a byte of it. */
  void send(Request request, OutputStream out, int until) throws IOException {
    var current = version;
    var from = isPart(request, current) ? (int) request.from() : 0;
    out.write(head(current, from).getBytes(ISO_8859_1));
    if (from < current.file.length) {
      var count = Math.max(0, Math.min(until, current.file.length) - from);
      for (var i = from; i < from + count; i++) {
        sent.incrementAndGet(i);
      }
      out.write(current.file, from, count);
    }
  }

  private boolean isPart(Request request, Version current) {
    return givesParts
        && request.headers().containsKey("range")
        && current.headers.stream()
            .anyMatch(line -> line.endsWith(": " + request.headers().get("if-range")));
  }

  private static String head(Version current, int from) {
    var total = current.file.length;
    var lines = new ArrayList<>(current.headers);
    if (from == 0) {
      lines.addFirst("HTTP/1.1 200 OK");
    } else if (from < total) {
      lines.addFirst("HTTP/1.1 206 Partial Content");
      lines.add("Content-Range: bytes %d-%d/%d".formatted(from, total - 1, total));
    } else {
      lines.addFirst("HTTP/1.1 416 Range Not Satisfiable");
    }
    lines.add("Content-Length: %d\r\n\r\n".formatted(Math.max(0, total - from)));
    return String.join("\r\n", lines);
  }

  private void serve() {
    try {
      while (true) {
        var socket = server.accept();
        Thread.ofVirtual().start(() -> answer(socket));
      }
    } catch (SocketException e) {
      return; // It was closed.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void answer(Socket accepted) {
    try (var socket = accepted) {
      var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
      var line = in.readLine();
      if (line == null) {
        return;
      }
      var headers = new TreeMap<String, String>();
      for (var header = in.readLine(); !header.isEmpty(); header = in.readLine()) {
        var parts = header.split(": ", 2);
        headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
      }
      var request = new Request(line, headers);
      requests.add(request);
      var special = next.poll();
      if (special == null) {
        send(request, socket.getOutputStream(), Integer.MAX_VALUE);
      } else {
        special.give(request, socket.getOutputStream());
      }
    } catch (IOException e) {
      return; // The client went away.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
