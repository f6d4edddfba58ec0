package io.leasehold.engine.run;

/** What is kept of a failure: short, and of characters that can be stored. */
final class ErrorText {

  private static final int LENGTH_MAX = 4_000;

  private ErrorText() {}

  static String of(Throwable failure) {
    String text;
    try {
      text = failure.toString();
    } catch (RuntimeException e) { // Even to tell what happened may fail.
      text = failure.getClass().getName();
    }
    var shortened = text.length() > LENGTH_MAX ? text.substring(0, LENGTH_MAX) + "…" : text;
    return storable(shortened);
  }

  // Neither NUL nor half a character outside the basic plane can be stored.
  private static String storable(String text) {
    var kept = new StringBuilder(text.length());
    text.codePoints()
        .filter(c -> c != 0 && !(c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE))
        .forEach(kept::appendCodePoint);
    return kept.toString();
  }
}
