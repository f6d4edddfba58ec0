package io.leasehold.jobs.schedules;

import io.leasehold.jobs.JobRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The limits for schedules. */
final class ScheduleBounds {

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,63}");
  private static final int CRON_MAX = 255;
  private static final Duration JITTER_MAX = Duration.ofDays(1);
  private static final Instant EARLIEST = Instant.EPOCH;
  private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

  private ScheduleBounds() {}

  static void requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name must be up to 64 of a-z, 0-9, _, . and -, the first a letter or digit, not '%s'"
              .formatted(name));
    }
  }

  static void requireCron(String cron) {
    if (cron.isBlank() || cron.length() > CRON_MAX) {
      throw new IllegalArgumentException(
          "cron must have 1 to %d characters, not %d".formatted(CRON_MAX, cron.length()));
    }
  }

  static void requireJitter(Duration jitter) {
    if (jitter.isNegative() || jitter.compareTo(JITTER_MAX) > 0) {
      throw new IllegalArgumentException(
          "jitter must be 0 to %d hours, not %s".formatted(JITTER_MAX.toHours(), jitter));
    }
  }

  static void requireSpan(Optional<Instant> startAt, Optional<Instant> endAt) {
    startAt.ifPresent(at -> requireInstant("startAt", at));
    endAt.ifPresent(at -> requireInstant("endAt", at));
    if (startAt.isPresent() && endAt.isPresent() && !startAt.get().isBefore(endAt.get())) {
      throw new IllegalArgumentException(
          "startAt must be before endAt, not %s and %s".formatted(startAt.get(), endAt.get()));
    }
  }

  private static void requireInstant(String name, Instant instant) {
    if (instant.isBefore(EARLIEST) || instant.isAfter(LATEST)) {
      throw new IllegalArgumentException(
          "%s must be from %s to %s, not %s".formatted(name, EARLIEST, LATEST, instant));
    }
  }

  /** Checks that each slot's job has room for values under these names. */
  static void requireRoomFor(Map<String, Object> metadata, Set<String> names) {
    var most = JobRequest.METADATA_MAX - names.size();
    if (metadata.size() > most || !Collections.disjoint(metadata.keySet(), names)) {
      throw new IllegalArgumentException(
          "metadata must have at most %d values here, and none of %s, not %s"
              .formatted(most, names, metadata.keySet()));
    }
  }
}
