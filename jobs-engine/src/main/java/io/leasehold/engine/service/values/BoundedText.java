package io.leasehold.engine.service.values;

import java.io.IOException;
import java.io.Writer;

/** Text that is being written, and stops whoever writes when it is too long. */
final class BoundedText extends Writer {

  private final StringBuilder text = new StringBuilder();
  private final int most;
  private long seen;

  BoundedText(int most) {
    this.most = most;
  }

  @Override
  public void write(char[] characters, int from, int length) throws IOException {
    seen += length;
    if (isTooLong()) {
      throw new IOException("longer than %d characters".formatted(most));
    }
    text.append(characters, from, length);
  }

  boolean isTooLong() {
    return seen > most;
  }

  /** How many characters there were, or were until it was too long. */
  long seen() {
    return seen;
  }

  /**
   * What was written, as JSON that can be stored: half a character outside the basic plane cannot
   * be, but as an escape it can. Both are the same to whoever reads.
   */
  String asJson() {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return escaped(i);
      }
    }
    return text.toString();
  }

  private String escaped(int from) {
    var escaped = new StringBuilder(text.length() + 16).append(text, 0, from);
    text.codePoints()
        .skip(from)
        .forEach(
            c -> {
              if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                escaped.append("\\u%04x".formatted(c));
              } else {
                escaped.appendCodePoint(c);
              }
            });
    return escaped.toString();
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
