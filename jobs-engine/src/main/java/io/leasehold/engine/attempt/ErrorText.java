package io.leasehold.engine.attempt;

import java.io.PrintWriter;
import java.io.StringWriter;

/** What is kept of a failure: short, and of characters that can be stored. */
public final class ErrorText {

  private static final int LENGTH_MAX = 4_000;

  private ErrorText() {}

  /** What a failure says of itself. */
  public static String of(Throwable failure) {
    String text;
    try {
      text = String.valueOf(failure);
    } catch (Throwable _) { // Even to tell what happened may fail, and in any way.
      text = failure.getClass().getName() + " (and it cannot say what happened)";
    }
    return storable(text.length() > LENGTH_MAX ? text.substring(0, LENGTH_MAX) + "…" : text);
  }

  /** For a log: with the stack trace, if the failure has one that it can tell. */
  static String withTrace(Throwable failure) {
    try {
      var trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      return trace.toString();
    } catch (Throwable _) { // As above.
      return of(failure);
    }
  }

  /** Without what cannot be stored: NUL, and half a character outside the basic plane. */
  static String storable(String text) {
    var kept = new StringBuilder(text.length());
    text.codePoints()
        .filter(c -> c != 0 && !(c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE))
        .forEach(kept::appendCodePoint);
    return kept.toString();
  }
}
