package io.leasehold.rest.parse;

/**
 * Makes a name that a client sent safe to repeat in a response: short, with plain characters only.
 */
final class QuotedName {

  private static final int LENGTH_MAX = 40;

  private QuotedName() {}

  /**
   * Keeps letters, digits, {@code _}, {@code -} and {@code .}, and replaces other characters with
   * their code points.
   */
  static String of(String name) {
    var quoted = new StringBuilder();
    name.codePoints()
        .limit(LENGTH_MAX)
        .forEach(
            c -> {
              if (isPlain(c)) {
                quoted.appendCodePoint(c);
              } else {
                quoted.append("U+%04X".formatted(c));
              }
            });
    return name.codePointCount(0, name.length()) > LENGTH_MAX ? quoted + "..." : quoted.toString();
  }

  private static boolean isPlain(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == '-'
        || c == '.';
  }
}
