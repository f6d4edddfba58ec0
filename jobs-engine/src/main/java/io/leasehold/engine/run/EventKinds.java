package io.leasehold.engine.run;

import io.leasehold.jobs.JobStatus;
import java.util.Arrays;
import java.util.regex.Pattern;

/** The words for what happens to a job: the platform's own, and those that are left to handlers. */
final class EventKinds {

  private static final Pattern WORD = Pattern.compile("[a-z0-9_.-]{1,64}");
  private static final Pattern OURS =
      Pattern.compile(
          "started|reclaimed|progress|retry_scheduled|put_off|released|worker_lost"
              + "|cancel_requested|events_dropped");

  private EventKinds() {}

  private static boolean isOurs(String kind) {
    return OURS.matcher(kind).matches()
        || Arrays.stream(JobStatus.values()).map(JobStatus::word).anyMatch(kind::equals);
  }

  /**
   * Returns if a handler may tell this.
   *
   * @throws IllegalArgumentException if not
   */
  static void requireOwn(String kind) {
    if (!WORD.matcher(kind).matches()) {
      throw new IllegalArgumentException(
          "kind must be 1 to 64 small letters, digits, dots, underscores and hyphens, not " + kind);
    }
    if (isOurs(kind)) {
      throw new IllegalArgumentException(
          "kind must be one of the handler's own: %s is told by the platform".formatted(kind));
    }
  }
}
