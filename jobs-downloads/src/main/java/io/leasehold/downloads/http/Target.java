package io.leasehold.downloads.http;

import java.net.URI;
import java.util.Locale;
import java.util.Set;

/**
 * Where a file is, as far as the text of its address goes.
 *
 * @param uri absolute, of HTTP or HTTPS, with a host and without a user
 */
public record Target(URI uri) {

  private static final Set<String> SCHEMES = Set.of("http", "https");
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final int PORT_MOST = 65_535;

  /**
   * Checks it.
   *
   * @throws IllegalArgumentException if it cannot be one; the message has none of it
   */
  public Target {
    if (!uri.isAbsolute() || !SCHEMES.contains(uri.getScheme().toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException("url must be of http or https");
    }
    if (uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException("url must have no user and no password");
    }
    if (uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > PORT_MOST) {
      throw new IllegalArgumentException(
          "url must have a host, and a port from 1 to 65535 or none");
    }
  }

  boolean isSecure() {
    return uri.getScheme().toLowerCase(Locale.ROOT).equals("https");
  }

  /** The name or address to connect to. */
  String host() {
    var host = uri.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  int port() {
    if (uri.getPort() > 0) {
      return uri.getPort();
    }
    return isSecure() ? HTTPS_PORT : HTTP_PORT;
  }

  /** As the header {@code Host} has it. */
  String authority() {
    return uri.getPort() > 0 ? uri.getHost() + ":" + uri.getPort() : uri.getHost();
  }

  /** As the request line has it, in ASCII. */
  String path() {
    var ascii = URI.create(uri.toASCIIString());
    var path = ascii.getRawPath().isEmpty() ? "/" : ascii.getRawPath();
    return ascii.getRawQuery() == null ? path : path + "?" + ascii.getRawQuery();
  }

  /**
   * Where a redirect leads to.
   *
   * @throws IllegalArgumentException if that cannot be a target, or would give up TLS
   */
  Target redirected(String location) {
    var next = new Target(location.startsWith("?") ? withQuery(location) : uri.resolve(location));
    if (isSecure() && !next.isSecure()) {
      throw new IllegalArgumentException("a redirect must not lead from https to http");
    }
    return next;
  }

  // Which the JDK, by an older standard, would take for another path.
  private URI withQuery(String query) {
    return URI.create(
        "%s://%s%s%s".formatted(uri.getScheme(), uri.getRawAuthority(), uri.getRawPath(), query));
  }

  /** Who is asked: nothing of the path or the query, which may be secret. */
  public String shown() {
    return host();
  }
}
