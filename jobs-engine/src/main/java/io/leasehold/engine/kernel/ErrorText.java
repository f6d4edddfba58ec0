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

/** The stored text of a failure: short, and limited to characters that can be stored. */
public final class ErrorText {

  private static final int LENGTH_MAX = 4_000;
  private static final int CAUSES_MAX = 8;
  private static final int FRAMES_MAX = 40;

  private ErrorText() {}

  /** Returns the failure's own text. */
  public static String of(Throwable failure) {
    String text;
    try {
      text = String.valueOf(failure);
    } catch (Throwable _) { // Even toString may fail, and in any way.
      text = failure.getClass().getName() + " (and it cannot say what happened)";
    }
    return storable(text.length() > LENGTH_MAX ? text.substring(0, LENGTH_MAX) + "…" : text);
  }

  /**
   * Returns a text for the log: the types and stack traces of the failure and its causes, without
   * their messages. A handler's messages may contain its tenant's data.
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

  /** Returns the failure and its first causes, up to one that fails to return its own cause. */
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

  /** Returns whether the failure only says that its thread was interrupted or told to stop. */
  public static boolean isInterrupt(Throwable failure) {
    try {
      return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
          .limit(CAUSES_MAX)
          .anyMatch(ErrorText::saysInterrupted);
    } catch (Throwable _) { // As above: getCause may fail.
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

  /** Returns the text without characters that cannot be stored: NUL and unpaired surrogates. */
  public static String storable(String text) {
    var kept = new StringBuilder(text.length());
    text.codePoints()
        .filter(c -> c != 0 && !(c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE))
        .forEach(kept::appendCodePoint);
    return kept.toString();
  }
}
