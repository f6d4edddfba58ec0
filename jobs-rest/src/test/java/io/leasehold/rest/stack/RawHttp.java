package io.leasehold.rest.stack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;

/** A connection over which a test sends whatever it wants, well-formed or not. */
public final class RawHttp implements AutoCloseable {

  private static final Duration MOST = Duration.ofSeconds(20);

  private final Socket socket;
  private final InputStream in;

  private RawHttp(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  /** Connects. */
  public static RawHttp to(RestStack stack) throws IOException {
    return connected(new Socket(), stack);
  }

  /** Connects as one that has room for very little, and so leaves the rest with the server. */
  public static RawHttp reluctantTo(RestStack stack) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(1 << 12);
    return connected(socket, stack);
  }

  private static RawHttp connected(Socket socket, RestStack stack) throws IOException {
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), stack.port()));
    socket.setSoTimeout((int) MOST.toMillis());
    socket.setTcpNoDelay(true);
    return new RawHttp(socket);
  }

  /** Sends a request without a body, on a connection that goes on, and reads the answer. */
  public Answer ask(String method, String path, String... headers) throws IOException {
    var request = new StringBuilder("%s %s HTTP/1.1\r\nHost: test\r\n".formatted(method, path));
    List.of(headers).forEach(header -> request.append(header).append("\r\n"));
    send(request.append("\r\n").toString().getBytes(ISO_8859_1));
    var answer = read(method);
    ApiDocument.CURRENT.check(method, path, answer);
    return answer;
  }

  /** Sends bytes as they are. */
  public void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** Sends no more. */
  public void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  /**
   * Reads an answer.
   *
   * @throws EOFException if the server closed the connection instead
   * @throws java.net.SocketTimeoutException if nothing comes
   */
  public Answer read(String method) throws IOException {
    var status = Integer.parseInt(line().split(" ", 3)[1]);
    var headers = headers();
    return new Answer(status, headers, new String(body(method, status, headers), UTF_8));
  }

  /** Waits until the server closes the connection, and reads nothing of what it sends. */
  public void awaitEnd() throws IOException {
    while (in.read() >= 0) {
      // What is still on its way is of no interest.
    }
  }

  private HttpHeaders headers() throws IOException {
    var headers = new LinkedHashMap<String, List<String>>();
    for (var line = line(); !line.isEmpty(); line = line()) {
      var parts = line.split(": ?", 2);
      headers.computeIfAbsent(parts[0], _ -> new ArrayList<>()).add(parts[1]);
    }
    return HttpHeaders.of(headers, (name, value) -> true);
  }

  private byte[] body(String method, int status, HttpHeaders headers) throws IOException {
    if (method.equals("HEAD") || status == 204 || status == 304) {
      return new byte[0];
    }
    var length = headers.firstValue("Content-Length");
    if (length.isPresent()) {
      return in.readNBytes(Integer.parseInt(length.get()));
    }
    return headers.map().keySet().stream()
            .anyMatch(name -> name.toLowerCase(Locale.ROOT).equals("transfer-encoding"))
        ? chunks()
        : in.readAllBytes();
  }

  private byte[] chunks() throws IOException {
    var body = new ByteArrayOutputStream();
    for (var size = chunkSize(); size > 0; size = chunkSize()) {
      body.writeBytes(in.readNBytes(size));
      line();
    }
    line();
    return body.toByteArray();
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(line(), 16);
  }

  private String line() throws IOException {
    var line = new ByteArrayOutputStream();
    for (var next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the server closed the connection");
      }
      if (next != '\r') {
        line.write(next);
      }
    }
    return line.toString(UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
