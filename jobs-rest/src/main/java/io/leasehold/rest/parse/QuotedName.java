package io.leasehold.rest.parse;

import java.util.regex.Pattern;

/**
 * Makes a name that a client sent safe to repeat in a response: short, with plain characters only.
 */
final class QuotedName {

  private static final int LENGTH_MAX = 40;
  private static final Pattern UNUSUAL = Pattern.compile("[^A-Za-z0-9_.-]");

  private QuotedName() {}

  /**
   * Keeps letters, digits, {@code _}, {@code -} and {@code .}, and replaces other characters with
   * their code points.
   */
  static String of(String name) {
    var length = name.codePointCount(0, name.length());
    var start = name.substring(0, name.offsetByCodePoints(0, Math.min(length, LENGTH_MAX)));
    var quoted =
        UNUSUAL.matcher(start).replaceAll(it -> "U+%04X".formatted(it.group().codePointAt(0)));
    return length > LENGTH_MAX ? quoted + "..." : quoted;
  }
}
