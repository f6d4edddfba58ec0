package io.leasehold.rest.limit;

import java.util.regex.Pattern;

/** Checks that untrusted text is a UUID: the JDK also accepts shorter forms. */
public final class StrictUuid {

  private static final Pattern FORM =
      Pattern.compile("[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}");

  private StrictUuid() {}

  /** Whether the text is a UUID in its usual form of 36 characters. */
  public static boolean is(String text) {
    return FORM.matcher(text).matches();
  }
}
