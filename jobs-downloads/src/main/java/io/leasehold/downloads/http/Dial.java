package io.leasehold.downloads.http;

import io.leasehold.downloads.address.AllowedAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Connects to an address that was looked at, and to no other, for the host of a name: there is no
 * second look-up that could be answered otherwise, and no proxy that would make one.
 */
final class Dial {

  private final AllowedAddresses allowed;
  private final SSLSocketFactory tls;
  private final Duration connectTimeout;
  private final Duration readTimeout;

  Dial(
      AllowedAddresses allowed,
      SSLSocketFactory tls,
      Duration connectTimeout,
      Duration readTimeout) {
    this.allowed = allowed;
    this.tls = tls;
    this.connectTimeout = connectTimeout;
    this.readTimeout = readTimeout;
  }

  /** A connection, with TLS where the target says so. */
  Socket connect(Target target) throws IOException {
    var failure = new IOException("%s cannot be reached".formatted(target.shown()));
    for (var address : allowed.of(target.host())) {
      try {
        return connect(target, address);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
    throw failure;
  }

  private Socket connect(Target target, InetAddress address) throws IOException {
    var plain = new Socket(Proxy.NO_PROXY);
    try {
      plain.setSoTimeout((int) readTimeout.toMillis());
      plain.connect(new InetSocketAddress(address, target.port()), (int) connectTimeout.toMillis());
      return target.isSecure() ? secured(plain, target) : plain;
    } catch (IOException e) {
      plain.close();
      throw e;
    }
  }

  // The name goes along, and the certificate has to be for it.
  private Socket secured(Socket plain, Target target) throws IOException {
    var secured = (SSLSocket) tls.createSocket(plain, target.host(), target.port(), true);
    var parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }
}
