package io.leasehold.rest.limit;

import java.util.regex.Pattern;

/** Knows a UUID that anybody may have sent: the JDK also takes shorter ones. */
public final class StrictUuid {

  private static final Pattern FORM =
      Pattern.compile("[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}");

  private StrictUuid() {}

  /** Whether the text is one, in its usual form of 36 characters. */
  public static boolean is(String text) {
    return FORM.matcher(text).matches();
  }
}
