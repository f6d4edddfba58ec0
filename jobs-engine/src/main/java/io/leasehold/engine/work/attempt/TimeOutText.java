package io.leasehold.engine.work.attempt;

import io.leasehold.engine.kernel.ErrorText;
import java.time.Duration;

/** The error of an attempt that timed out, as the job's owner reads it. */
final class TimeOutText {

  /** The errors of dependents search for this prefix. */
  private static final String BEGINNING = "timed out after ";

  private TimeOutText() {}

  /** Names the limit, and what the handler threw unless that only reports the interrupt. */
  static String of(Duration limit, Throwable failure) {
    return ErrorText.isInterrupt(failure)
        ? BEGINNING + inWords(limit)
        : of(limit, "the handler threw " + ErrorText.of(failure));
  }

  /** Names the limit, and what happened then. */
  static String of(Duration limit, String then) {
    return "%s%s; %s".formatted(BEGINNING, inWords(limit), then);
  }

  /** In the largest unit that needs no fraction. */
  private static String inWords(Duration time) {
    if (time.toMillisPart() != 0) {
      return time.toMillis() + " ms";
    }
    if (time.toSecondsPart() != 0) {
      return time.toSeconds() + " s";
    }
    if (time.toMinutesPart() != 0) {
      return time.toMinutes() + " min";
    }
    return time.toHoursPart() != 0 ? time.toHours() + " h" : time.toDays() + " d";
  }
}
