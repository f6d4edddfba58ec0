package io.leasehold.rest.program;

import java.util.regex.Pattern;

/** A URL that somebody gave: checked, and told to people without the secrets that may be in it. */
final class JdbcUrl {

  private static final String SCHEME = "jdbc:postgresql:";
  private static final Pattern HOSTS = Pattern.compile("jdbc:postgresql://([^/?]*).*");
  private static final Pattern HOST_AND_PORT = Pattern.compile("(?:\\[[^]]*]|[^:\\[]*):(.*)");
  private static final Pattern PORT = Pattern.compile("[0-9]{1,9}");
  private static final int PORT_MOST = 65_535;

  // All that follows goes too: an "&" that was not escaped may be part of the password. A name with
  // escapes in it may be any name.
  private static final Pattern PASSWORD =
      Pattern.compile(
          "[?&][^=&]*(?:password|%)[^=&]*=.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final Pattern USER = Pattern.compile("//.*@", Pattern.DOTALL);

  private JdbcUrl() {}

  /**
   * Returns the URL, if the driver will understand it.
   *
   * @param what is given by it, for people
   * @throws IllegalArgumentException if it will not
   */
  static String checked(String what, String url) {
    if (!url.startsWith(SCHEME)) {
      throw new IllegalArgumentException(
          "%s must be given as jdbc:postgresql://host:port/name, not %s"
              .formatted(what, withoutUser(url)));
    }
    var hosts = HOSTS.matcher(url);
    if (hosts.matches()) {
      requireHosts(what, url, hosts.group(1));
    }
    return url;
  }

  private static void requireHosts(String what, String url, String hosts) {
    if (hosts.contains("@")) {
      throw new IllegalArgumentException(
          "%s is given with a user before the host, and users are taken from the environment: %s"
              .formatted(what, withoutUser(url)));
    }
    for (var host : hosts.split(",", -1)) {
      var parts = HOST_AND_PORT.matcher(host);
      if (parts.matches()) {
        requirePort(what, url, parts.group(1));
      }
    }
  }

  private static void requirePort(String what, String url, String port) {
    if (!PORT.matcher(port).matches()) {
      throw new IllegalArgumentException(
          "the port of %s must be a number from 1 to %d: %s"
              .formatted(what, PORT_MOST, withoutUser(url)));
    }
    var number = Integer.parseInt(port);
    if (number < 1 || number > PORT_MOST) {
      throw new IllegalArgumentException(
          "the port of %s must be 1 to %d, not %s".formatted(what, PORT_MOST, port));
    }
  }

  /** What may be shown of a URL that was not checked. */
  static String withoutUser(String url) {
    return USER.matcher(withoutPassword(url)).replaceFirst("//");
  }

  /** What may be shown and kept: the URL up to the first parameter that is a password. */
  static String withoutPassword(String url) {
    return PASSWORD.matcher(url).replaceFirst("");
  }
}
