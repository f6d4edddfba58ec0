package io.leasehold.db;

import java.util.regex.Pattern;

/** Shows where a database is without telling how to get in. */
public final class JdbcUrl {

  private static final String HIDDEN = "***";

  // The driver knows no such thing: it takes a password for a part of the address, and logs it.
  private static final Pattern LOGIN = Pattern.compile("//(?:[^/?]*:[^/]*|[^?]*)@");

  // With what follows and is no parameter: the rest of a password that holds the separator.
  private static final Pattern PASSWORD =
      Pattern.compile(
          "([?&][^=&]*(?:pass|pw|secret|%)[^=&]*=)[^&]*(?:&[^=&]*(?=&|$))*",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern OPTIONS = Pattern.compile("[?&]options=");

  private JdbcUrl() {}

  /** Whether a user, with a password or without, stands before the host. */
  static boolean hasLogin(String url) {
    return LOGIN.matcher(url).find();
  }

  /** Whether it gives the server settings for each session. */
  static boolean hasOptions(String url) {
    return OPTIONS.matcher(url).find();
  }

  /** The URL, with stars for every password in it, and for a login before the host. */
  public static String redacted(String url) {
    var withoutLogin = LOGIN.matcher(url).replaceFirst("//" + HIDDEN + "@");
    return PASSWORD.matcher(withoutLogin).replaceAll("$1" + HIDDEN);
  }

  /** A message with the URL redacted wherever it is repeated. */
  public static String redacted(String url, String message) {
    return message.replace(url, redacted(url));
  }
}
