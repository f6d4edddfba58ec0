package io.leasehold.jobs;

import java.util.regex.Pattern;

/**
 * A place in a job's history, behind one of its events. Positions are compared within one job: by
 * the lease under which something happened, and its number there.
 *
 * @param token of the lease; 0 for what happened before the first
 * @param n the number of the event under that lease
 */
public record EventCursor(long token, int n) implements Comparable<EventCursor> {

  /** Before the first event. */
  public static final EventCursor BEGIN = new EventCursor(0, -1);

  private static final Pattern WORD =
      Pattern.compile("(0|[1-9][0-9]{0,17})\\.(0|[1-9][0-9]{0,8}|1[0-9]{9})");

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws IllegalArgumentException if it is something else
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

  /** As it is written in JSON and in the headers of streams. */
  @Override
  public String toString() {
    return token + "." + n;
  }
}
