package io.leasehold.jobs;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The limits for requests and their values. */
final class Bounds {

  private static final Pattern QUEUE = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,63}");
  private static final int CALLER_MAX = 255;
  private static final char REPLACEMENT = '\ufffd';

  private static final int PRIORITY_MAX = 1_000;
  private static final int ATTEMPTS_MAX = 30_000;
  private static final Duration TIMEOUT_MOST = Duration.ofDays(30);
  private static final Duration DELAY_MOST = Duration.ofDays(3_650);
  private static final int KEY_MAX = 255;
  private static final int AFTER_MAX = 10_000;
  private static final int CAPACITY_MAX = 1_000_000;
  private static final int NAME_MAX = 64;

  /** The maximum age of a job that a request may reuse. */
  static final Duration REUSE_MAX = DELAY_MOST;

  private Bounds() {}

  static void requirePrincipal(String principal) {
    if (principal.isBlank()) {
      throw new IllegalArgumentException("principal must not be blank");
    }
    var length = principal.codePointCount(0, principal.length());
    if (length > CALLER_MAX) {
      throw new IllegalArgumentException(
          "principal must have at most %d characters, not %d".formatted(CALLER_MAX, length));
    }
    var control = firstControl(principal);
    if (control >= 0) {
      throw new IllegalArgumentException(
          "principal must have no control characters, not U+%04X at %d"
              .formatted(principal.codePointAt(control), control));
    }
  }

  // A loop instead of a stream, because this runs for each attempt.
  private static int firstControl(String text) {
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      if (isControl(text.codePointAt(i))) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Whether a character is invisible but changes how text is displayed: line breaks, terminal
   * commands, reversed text direction.
   */
  private static boolean isControl(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  /** Returns a correlation id as it is stored: truncated, with control characters replaced. */
  static String correlation(String id) {
    var length = id.codePointCount(0, id.length());
    var kept = length > CALLER_MAX ? id.substring(0, id.offsetByCodePoints(0, CALLER_MAX)) : id;
    if (firstControl(kept) < 0) {
      return kept;
    }
    var readable = new StringBuilder(kept.length());
    kept.codePoints().map(c -> isControl(c) ? REPLACEMENT : c).forEach(readable::appendCodePoint);
    return readable.toString();
  }

  static void requireQueue(String queue) {
    if (!QUEUE.matcher(queue).matches()) {
      throw new IllegalArgumentException(
          "queue must be up to 64 of a-z, 0-9, _, . and -, the first a letter or digit, not '%s'"
              .formatted(queue));
    }
  }

  static void requirePriority(int priority) {
    if (Math.abs((long) priority) > PRIORITY_MAX) {
      throw new IllegalArgumentException(
          "priority must be -%d to %1$d, not %d".formatted(PRIORITY_MAX, priority));
    }
  }

  static void requireAttempts(int attempts) {
    if (attempts < 1 || attempts > ATTEMPTS_MAX) {
      throw new IllegalArgumentException(
          "maxAttempts must be 1 to %d, not %d".formatted(ATTEMPTS_MAX, attempts));
    }
  }

  static void requireTimeout(Duration timeout) {
    if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(TIMEOUT_MOST) > 0) {
      throw new IllegalArgumentException(
          "timeout must be 1 ms to %d days, not %s".formatted(TIMEOUT_MOST.toDays(), timeout));
    }
  }

  static void requireDelay(Duration delay) {
    if (delay.isNegative() || delay.compareTo(DELAY_MOST) > 0) {
      throw new IllegalArgumentException(
          "delay must be 0 to %d days, not %s".formatted(DELAY_MOST.toDays(), delay));
    }
  }

  static void requireKey(String key) {
    if (key.isEmpty() || key.length() > KEY_MAX || key.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "key must have 1 to %d characters, none of them NUL, not %d"
              .formatted(KEY_MAX, key.length()));
    }
  }

  static void requireAfter(JobType<?, ?> type, List<JobId> after) {
    if (after.size() > AFTER_MAX) {
      throw new IllegalArgumentException(
          "a job must wait for at most %d others, not %d".formatted(AFTER_MAX, after.size()));
    }
    if (!after.isEmpty() && type.kind() == JobKind.IN_MEMORY) {
      throw new IllegalArgumentException(
          "jobs of %s live in memory, and wait for no others".formatted(type.handler()));
    }
  }

  static void requireReuse(JobType<?, ?> type, Duration notOlderThan) {
    if (notOlderThan.isNegative() || notOlderThan.compareTo(REUSE_MAX) > 0) {
      throw new IllegalArgumentException(
          "notOlderThan must be 0 to %d days, not %s".formatted(REUSE_MAX.toDays(), notOlderThan));
    }
    if (type.kind() == JobKind.IN_MEMORY) {
      throw new IllegalArgumentException(
          "jobs of %s live in memory, and are not reused".formatted(type.handler()));
    }
  }

  static void requireMirrorable(JobType<?, ?> type) {
    if (type.kind() == JobKind.IN_MEMORY) {
      throw new IllegalArgumentException(
          "jobs of %s live in memory, and are mirrored by no record".formatted(type.handler()));
    }
  }

  static void requireCapacity(int capacity) {
    if (capacity < 1 || capacity > CAPACITY_MAX) {
      throw new IllegalArgumentException(
          "capacity must be 1 to %d, not %d".formatted(CAPACITY_MAX, capacity));
    }
  }

  /** Checks that a request asks for no more than its type allows. */
  static void requireWithin(JobType<?, ?> type, Optional<Duration> timeout, int maxAttempts) {
    requireAttempts(maxAttempts);
    if (maxAttempts > type.retry().maxAttempts()) {
      throw new IllegalArgumentException(
          "maxAttempts must be at most the handler's %d, not %d"
              .formatted(type.retry().maxAttempts(), maxAttempts));
    }
    timeout.ifPresent(Bounds::requireTimeout);
    type.timeout()
        .filter(most -> timeout.isEmpty() || timeout.get().compareTo(most) > 0)
        .ifPresent(
            most -> {
              throw new IllegalArgumentException(
                  "timeout must be at most the handler's %s, not %s"
                      .formatted(most, timeout.map(Duration::toString).orElse("unlimited")));
            });
  }

  /**
   * Checks the number of values and their names. The engine checks the size of their JSON at
   * submission.
   */
  static void requireMetadata(Map<String, Object> metadata) {
    if (metadata.size() > JobRequest.METADATA_MAX) {
      throw new IllegalArgumentException(
          "metadata must have at most %d values, not %d"
              .formatted(JobRequest.METADATA_MAX, metadata.size()));
    }
    for (var name : metadata.keySet()) {
      var length = name.codePointCount(0, name.length());
      if (length < 1 || length > NAME_MAX) {
        throw new IllegalArgumentException(
            "metadata must have names of 1 to %d characters, not %d".formatted(NAME_MAX, length));
      }
    }
  }
}
