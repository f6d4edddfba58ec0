package io.leasehold.db;

import java.util.regex.Pattern;

/** Shows where a database is without revealing how to log in. */
public final class JdbcUrl {

  private static final String HIDDEN = "***";

  // The driver does not support this form: it takes the password for part of the address, and logs
  // it.
  private static final Pattern LOGIN = Pattern.compile("//(?:[^/?]*:[^/]*|[^?]*)@");

  // Includes any text that follows and is no parameter: the rest of a password that contains the
  // separator.
  private static final Pattern PASSWORD =
      Pattern.compile(
          "([?&][^=&]*(?:pass|pw|secret|%)[^=&]*=)[^&]*(?:&[^=&]*(?=&|$))*",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern OPTIONS = Pattern.compile("[?&]options=");

  private JdbcUrl() {}

  /** Returns whether a user, with or without a password, stands before the host. */
  static boolean hasLogin(String url) {
    return LOGIN.matcher(url).find();
  }

  /** Returns whether the URL gives the server settings for each session. */
  static boolean hasOptions(String url) {
    return OPTIONS.matcher(url).find();
  }

  /** Returns the URL with stars for every password in it, and for a login before the host. */
  public static String redacted(String url) {
    var withoutLogin = LOGIN.matcher(url).replaceFirst("//" + HIDDEN + "@");
    return PASSWORD.matcher(withoutLogin).replaceAll("$1" + HIDDEN);
  }

  /** Returns a message with every occurrence of the URL redacted. */
  public static String redacted(String url, String message) {
    return message.replace(url, redacted(url));
  }
}
