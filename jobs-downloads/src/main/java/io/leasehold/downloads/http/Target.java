package io.leasehold.downloads.http;

import java.net.URI;
import java.util.Locale;
import java.util.Set;

/**
 * The location of a file, checked as far as the text of its URL goes.
 *
 * @param uri an absolute HTTP or HTTPS URI, with a host and without user info
 */
public record Target(URI uri) {

  private static final Set<String> SCHEMES = Set.of("http", "https");
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final int PORT_MOST = 65_535;

  /**
   * Checks the URI.
   *
   * @throws IllegalArgumentException if the URI is invalid; the message has no part of it
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

  /** The value of the header {@code Host}. */
  String authority() {
    return uri.getPort() > 0 ? uri.getHost() + ":" + uri.getPort() : uri.getHost();
  }

  /** The path and query for the request line, in ASCII. */
  String path() {
    var ascii = URI.create(uri.toASCIIString());
    var path = ascii.getRawPath().isEmpty() ? "/" : ascii.getRawPath();
    return ascii.getRawQuery() == null ? path : path + "?" + ascii.getRawQuery();
  }

  /**
   * Returns the target of a redirect.
   *
   * @throws IllegalArgumentException if it is not a valid target, or would give up TLS
   */
  Target redirected(String location) {
    var next = new Target(location.startsWith("?") ? withQuery(location) : uri.resolve(location));
    if (isSecure() && !next.isSecure()) {
      throw new IllegalArgumentException("a redirect must not lead from https to http");
    }
    return next;
  }

  // Resolved by hand, because the JDK follows an older standard and would change the path.
  private URI withQuery(String query) {
    return URI.create(
        "%s://%s%s%s".formatted(uri.getScheme(), uri.getRawAuthority(), uri.getRawPath(), query));
  }

  /** The server only, without the path and the query, which may be secret. */
  public String shown() {
    return host();
  }
}
