package io.leasehold.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A proxy between clients and the server. It counts round trips, and can cut connections. */
public final class TcpProxy implements AutoCloseable {

  /** Where the next commit is cut off. */
  public enum Cut {
    NEVER,
    BEFORE_THE_SERVER_HEARS,
    BEFORE_THE_SERVER_IS_HEARD
  }

  private static final Logger log = LoggerFactory.getLogger(TcpProxy.class);

  private final ServerSocket listening;
  private volatile URI server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger turns = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean silent;
  private final AtomicReference<Cut> next = new AtomicReference<>(Cut.NEVER);

  private TcpProxy(ServerSocket listening, URI server) {
    this.listening = listening;
    this.server = server;
  }

  /** Starts a proxy in front of the server of a JDBC URL. */
  public static TcpProxy before(String jdbcUrl) throws IOException {
    var listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    var proxy = new TcpProxy(listening, address(jdbcUrl));
    Thread.startVirtualThread(proxy::accept);
    return proxy;
  }

  /** Returns the URL of the server through this proxy, unencrypted. */
  public String jdbcUrl() {
    return jdbcUrl(server.getPath().substring(1));
  }

  /** Returns such a URL for another database of the server. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://localhost:%d/%s?sslmode=disable&gssEncMode=disable"
        .formatted(listening.getLocalPort(), database);
  }

  /** Returns the number of connections so far. */
  public int connections() {
    return connections.get();
  }

  /**
   * Returns how often clients of the tenants' role have sent something and so waited for the
   * server.
   */
  public int turns() {
    return turns.get();
  }

  /** Cuts the next commit that a client of the tenants' role sends; the engine's commits pass. */
  public void cutNextCommit(Cut cut) {
    next.set(cut);
  }

  /** Stops passing on data without closing connections, as if the server's machine were gone. */
  public void fallSilent() {
    silent = true;
  }

  /** Passes on data over new connections again. */
  public void speakAgain() {
    silent = false;
  }

  /** Connects new clients to the server of another JDBC URL, as after a failover. */
  public void leadTo(String jdbcUrl) {
    server = address(jdbcUrl);
  }

  private static URI address(String jdbcUrl) {
    return URI.create(jdbcUrl.substring("jdbc:".length()));
  }

  /** Breaks all connections; new ones are accepted. */
  public void cutAll() throws IOException {
    for (var socket : open) {
      socket.close();
    }
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    listening.close();
  }

  private void accept() {
    try {
      while (true) {
        connect(listening.accept());
      }
    } catch (IOException e) {
      log.debug("no more connections are accepted", e); // Closed.
    }
  }

  private void connect(Socket client) throws IOException {
    connections.incrementAndGet();
    Socket behind;
    try {
      behind = new Socket(server.getHost(), server.getPort());
    } catch (IOException _) {
      client.close(); // The server is down.
      return;
    }
    client.setTcpNoDelay(true);
    behind.setTcpNoDelay(true);
    open.add(client);
    open.add(behind);
    new Talk(client, behind).start();
  }

  /** One connection. */
  private final class Talk {

    private final Socket client;
    private final Socket behind;
    private volatile boolean serverSpokeLast = true;
    private volatile boolean counted; // Of the tenants' role.
    private volatile boolean mute;

    Talk(Socket client, Socket behind) {
      this.client = client;
      this.behind = behind;
    }

    void start() {
      Thread.startVirtualThread(() -> pump(client, behind, this::hearClient));
      Thread.startVirtualThread(() -> pump(behind, client, bytes -> hearServer()));
    }

    private boolean hearClient(byte[] bytes) {
      var said = new String(bytes, StandardCharsets.ISO_8859_1);
      counted |= said.contains("leasehold_tenant"); // Sent at the start.
      if (serverSpokeLast && counted) {
        turns.incrementAndGet();
      }
      serverSpokeLast = false;
      if (!counted || next.get() == Cut.NEVER || !said.contains("COMMIT")) {
        return true;
      }
      mute = true;
      return next.getAndSet(Cut.NEVER) == Cut.BEFORE_THE_SERVER_IS_HEARD;
    }

    private boolean hearServer() {
      serverSpokeLast = true;
      return !mute;
    }

    private void pump(Socket from, Socket to, Ear ear) {
      try (from;
          to) {
        passOn(from, to, ear);
        if (silent) {
          closed.await(); // Neither side learns that the other one has closed.
        }
      } catch (IOException e) {
        log.debug("the other side is gone", e);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      } finally {
        open.remove(from);
        open.remove(to);
      }
    }

    private void passOn(Socket from, Socket to, Ear ear) throws IOException {
      var buffer = new byte[65_536];
      for (int n = from.getInputStream().read(buffer); n >= 0; ) {
        if (!ear.passesOn(Arrays.copyOf(buffer, n))) {
          return;
        }
        if (!silent) {
          to.getOutputStream().write(buffer, 0, n);
        }
        n = from.getInputStream().read(buffer);
      }
    }
  }

  /** Inspects the bytes, and returns whether to pass them on. */
  @FunctionalInterface
  private interface Ear {
    boolean passesOn(byte[] bytes);
  }
}
