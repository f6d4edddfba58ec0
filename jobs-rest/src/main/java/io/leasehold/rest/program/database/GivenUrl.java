package io.leasehold.rest.program.database;

import io.leasehold.db.JdbcUrl;
import java.util.regex.Pattern;

/** Checks a configured URL before anything is started for it. */
final class GivenUrl {

  private static final String SCHEME = "jdbc:postgresql:";
  private static final Pattern HOSTS = Pattern.compile("jdbc:postgresql://([^/?]*).*");
  private static final Pattern HOST_AND_PORT = Pattern.compile("(?:\\[[^]]*]|[^:\\[]*):(.*)");
  private static final Pattern PORT = Pattern.compile("[0-9]{1,9}");
  private static final int PORT_MOST = 65_535;

  private GivenUrl() {}

  /**
   * Returns the URL if the driver accepts it.
   *
   * @param what the source of the URL, for people
   * @throws IllegalArgumentException if the driver does not accept it
   */
  static String checked(String what, String url) {
    if (!url.startsWith(SCHEME)) {
      throw new IllegalArgumentException(
          "%s must be given as jdbc:postgresql://host:port/name, not %s"
              .formatted(what, JdbcUrl.redacted(url)));
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
              .formatted(what, JdbcUrl.redacted(url)));
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
              .formatted(what, PORT_MOST, JdbcUrl.redacted(url)));
    }
    var number = Integer.parseInt(port);
    if (number < 1 || number > PORT_MOST) {
      throw new IllegalArgumentException(
          "the port of %s must be 1 to %d, not %s".formatted(what, PORT_MOST, port));
    }
  }
}
