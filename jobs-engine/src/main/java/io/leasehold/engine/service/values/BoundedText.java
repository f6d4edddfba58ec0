package io.leasehold.engine.service.values;

import java.io.IOException;
import java.io.Writer;

/**
 * A text buffer with a maximum length. It makes the writing code fail once the text is too long.
 */
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

  /** Returns the number of characters written, including the write that exceeded the limit. */
  long seen() {
    return seen;
  }

  /**
   * Returns the text as JSON that can be stored. An unpaired surrogate cannot be stored as it is,
   * so it is written as an escape. A JSON reader treats both forms alike.
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
