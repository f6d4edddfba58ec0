package io.leasehold.engine.work.events;

import java.util.Set;
import java.util.regex.Pattern;

/** The kinds of job events: those reserved for the platform, and those free for handlers. */
public final class EventKinds {

  private static final Pattern WORD = Pattern.compile("[a-z0-9_.-]{1,64}");
  private static final Set<String> OURS =
      Set.of(
          "queued",
          "started",
          "running",
          "reclaimed",
          "progress",
          "retry_scheduled",
          "put_off",
          "released",
          "worker_lost",
          "cancel_requested",
          "events_dropped",
          "succeeded",
          "failed",
          "timed_out",
          "cancelled",
          // Names with a meaning of their own in streams of server-sent events.
          "end",
          "error",
          "message",
          "open");

  private EventKinds() {}

  /**
   * Checks that a handler may use this kind.
   *
   * @throws IllegalArgumentException if not
   */
  public static void requireOwn(String kind) {
    if (!WORD.matcher(kind).matches()) {
      throw new IllegalArgumentException(
          "kind must be 1 to 64 small letters, digits, dots, underscores and hyphens, not " + kind);
    }
    if (OURS.contains(kind)) {
      throw new IllegalArgumentException(
          "kind must be one of the handler's own: %s is told by the platform".formatted(kind));
    }
  }
}
