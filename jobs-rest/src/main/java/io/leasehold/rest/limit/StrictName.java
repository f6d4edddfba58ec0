package io.leasehold.rest.limit;

import java.util.regex.Pattern;

/** Knows a name that a schedule may have, whoever sent it. */
public final class StrictName {

  private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,63}");

  private StrictName() {}

  /** Whether the text is one. */
  public static boolean is(String text) {
    return FORM.matcher(text).matches();
  }
}
