package io.leasehold.downloads.http;

import io.leasehold.downloads.address.AllowedAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Connects to an address that was checked before, for the name of a host. There is no second
 * lookup, whose result could differ, and no proxy that would do one.
 */
final class Dial {

  private final AllowedAddresses allowed;
  private final SSLSocketFactory tls;
  private final TransferRate pace;

  Dial(AllowedAddresses allowed, SSLSocketFactory tls, TransferRate pace) {
    this.allowed = allowed;
    this.tls = tls;
    this.pace = pace;
  }

  /**
   * A connection.
   *
   * @param socket the socket, with TLS if the target requires it
   * @param paced the underlying socket, which enforces the rate
   */
  record Line(Socket socket, PacedSocket paced) {}

  /** Opens a connection, on which the head must arrive within its time limit. */
  Line connect(Target target) throws IOException {
    var headUntil = System.nanoTime() + pace.headTimeout().toNanos();
    var failure = new IOException("%s cannot be reached".formatted(target.shown()));
    for (var address : allowed.of(target.host())) {
      var left = PacedSocket.headLeft(pace, headUntil, System.nanoTime());
      try {
        return connect(target, address, headUntil, left);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
    throw failure;
  }

  private Line connect(Target target, InetAddress address, long headUntil, Duration left)
      throws IOException {
    var plain = new PacedSocket(pace, headUntil);
    var most = Math.min(pace.connectTimeout().toMillis(), Math.max(1, left.toMillis()));
    try {
      plain.connect(new InetSocketAddress(address, target.port()), (int) most);
      return new Line(target.isSecure() ? secured(plain, target) : plain, plain);
    } catch (IOException e) {
      plain.close();
      throw e;
    }
  }

  // The name is sent to the server, and the certificate must match it.
  private Socket secured(Socket plain, Target target) throws IOException {
    var secured = (SSLSocket) tls.createSocket(plain, target.host(), target.port(), true);
    var parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }
}
