package io.leasehold.engine.kernel;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;

/** What is kept of a failure: short, and of characters that can be stored. */
public final class ErrorText {

  private static final int LENGTH_MAX = 4_000;
  private static final int CAUSES_MAX = 8;
  private static final int FRAMES_MAX = 40;

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

  /**
   * For a log: what it is and where it was thrown, and so of its causes, without a word of what
   * they say. A handler's words may be its tenant's.
   */
  public static String withoutWords(Throwable failure) {
    var lines = new StringJoiner(System.lineSeparator());
    try {
      var next = failure;
      for (var depth = 0; next != null && depth < CAUSES_MAX; depth++) {
        lines.add((depth == 0 ? "" : "caused by ") + next.getClass().getName());
        Stream.of(next.getStackTrace()).limit(FRAMES_MAX).forEach(at -> lines.add("\tat " + at));
        next = next.getCause();
      }
    } catch (Throwable _) { // As above.
      lines.add("(and it cannot say where)");
    }
    return lines.toString();
  }

  /** The failure and its first causes, up to one that cannot be asked for its own. */
  public static List<Throwable> withCauses(Throwable failure) {
    var all = new ArrayList<Throwable>();
    try {
      for (var next = failure; next != null && all.size() < CAUSES_MAX; next = next.getCause()) {
        all.add(next);
      }
    } catch (Throwable _) { // As above.
      return all;
    }
    return all;
  }

  /** Whether it says no more than that its thread was interrupted, or told to stop. */
  public static boolean isInterrupt(Throwable failure) {
    try {
      return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
          .limit(CAUSES_MAX)
          .anyMatch(ErrorText::saysInterrupted);
    } catch (Throwable _) { // As above: its cause may not be told.
      return false;
    }
  }

  private static boolean saysInterrupted(Throwable failure) {
    return failure instanceof InterruptedException
        || failure instanceof InterruptedIOException
        || failure instanceof ClosedByInterruptException
        || failure instanceof CancellationException
        || (failure instanceof JobsException e && e.code() == ErrorCode.INTERRUPTED);
  }

  /** Without what cannot be stored: NUL, and half a character outside the basic plane. */
  public static String storable(String text) {
    var kept = new StringBuilder(text.length());
    text.codePoints()
        .filter(c -> c != 0 && !(c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE))
        .forEach(kept::appendCodePoint);
    return kept.toString();
  }
}
