package io.leasehold.rest.log;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Escapes invisible characters that change how text is displayed: line breaks, terminal commands,
 * and characters that reverse the direction of writing. Uses JSON's escapes. A backslash stays as
 * it is.
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
