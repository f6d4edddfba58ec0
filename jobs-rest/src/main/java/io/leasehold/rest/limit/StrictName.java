package io.leasehold.rest.limit;

import java.util.regex.Pattern;

/** Checks that untrusted text can be the name of a schedule. */
public final class StrictName {

  private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,63}");

  private StrictName() {}

  /** Whether the text is a valid name. */
  public static boolean is(String text) {
    return FORM.matcher(text).matches();
  }
}
