package io.leasehold.jobs.history;

import java.util.regex.Pattern;

/**
 * A position in a job's history, immediately after one of its events. Positions are comparable
 * within one job: first by the lease under which the event happened, then by the event's number
 * under that lease.
 *
 * @param token the token of the lease; 0 for events before the first lease
 * @param n the number of the event under that lease
 */
public record EventCursor(long token, int n) implements Comparable<EventCursor> {

  /** The position before the first event. */
  public static final EventCursor BEGIN = new EventCursor(0, -1);

  private static final Pattern WORD =
      Pattern.compile("(0|[1-9][0-9]{0,17})\\.(0|[1-9][0-9]{0,8}|1[0-9]{9})");

  /**
   * Parses the text that {@link #toString} returns.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static EventCursor of(String word) {
    var match = WORD.matcher(word);
    if (!match.matches()) {
      throw new IllegalArgumentException("cursor must be like 12.3, not " + word);
    }
    return new EventCursor(Long.parseLong(match.group(1)), Integer.parseInt(match.group(2)));
  }

  @Override
  public int compareTo(EventCursor other) {
    var byToken = Long.compare(token, other.token);
    return byToken != 0 ? byToken : Integer.compare(n, other.n);
  }

  /** Returns the form used in JSON and in stream headers. */
  @Override
  public String toString() {
    return token + "." + n;
  }
}
