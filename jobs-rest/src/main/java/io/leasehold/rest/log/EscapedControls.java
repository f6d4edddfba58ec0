package io.leasehold.rest.log;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Text with escapes instead of characters that are not shown but change how text is: line breaks,
 * commands to terminals, and what reverses the order of writing. They are JSON's escapes. A
 * backslash stays as it is.
 */
final class EscapedControls {

  private static final Pattern CONTROLS = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

  private EscapedControls() {}

  static String of(String text) {
    return CONTROLS.matcher(text).replaceAll(found -> Matcher.quoteReplacement(escaped(found)));
  }

  private static String escaped(MatchResult found) {
    return switch (found.group()) {
      case "\n" -> "\\n";
      case "\r" -> "\\r";
      case "\t" -> "\\t";
      default -> found.group().chars().mapToObj("\\u%04x"::formatted).collect(Collectors.joining());
    };
  }
}
