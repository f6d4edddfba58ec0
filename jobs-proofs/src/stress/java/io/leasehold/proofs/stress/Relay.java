package io.leasehold.proofs.stress;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** An address that stays while the server behind it comes and goes. */
final class Relay implements AutoCloseable {

  private final ServerSocket listening;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile int target;
  private volatile boolean cut;

  Relay() throws IOException {
    listening = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Passes new connections on to this port. */
  void to(int port) {
    target = port;
  }

  /** Breaks all connections, and refuses new ones until it is mended. */
  void cut() {
    cut = true;
    open.forEach(Relay::close);
  }

  void mend() {
    cut = false;
  }

  @Override
  public void close() throws IOException {
    listening.close();
    open.forEach(Relay::close);
  }

  private void accept() {
    try {
      while (true) {
        var client = listening.accept();
        if (cut) {
          close(client);
        } else {
          connect(client);
        }
      }
    } catch (IOException e) {
      open.forEach(Relay::close); // Closed.
    }
  }

  private void connect(Socket client) {
    try {
      var server = new Socket(InetAddress.getLoopbackAddress(), target);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      open.add(client);
      open.add(server);
      Thread.ofVirtual().start(() -> pump(client, server));
      Thread.ofVirtual().start(() -> pump(server, client));
    } catch (IOException e) {
      close(client); // The server is down.
    }
  }

  private void pump(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      close(to); // One of them is gone.
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
