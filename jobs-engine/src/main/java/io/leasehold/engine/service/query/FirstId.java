package io.leasehold.engine.service.query;

import io.leasehold.jobs.JobId;
import java.time.Instant;
import java.util.UUID;

/**
 * Converts an instant to a position among job ids, which contain their creation time in
 * milliseconds.
 */
final class FirstId {

  private static final long SECONDS_MAX = (1L << 48) / 1_000 - 2;
  private static final long VERSION = 0x7000;
  private static final long VARIANT = 0x8000_0000_0000_0000L;

  private FirstId() {}

  /**
   * Returns the lowest possible id of a job created at or after the instant. The result equals that
   * of {@code leasehold.first_id_at}, except for instants between two milliseconds and instants
   * that no id can represent.
   */
  static JobId at(Instant instant) {
    var seconds = Math.clamp(instant.getEpochSecond(), 0, SECONDS_MAX);
    var millis = seconds * 1_000 + Math.ceilDiv(instant.getNano(), 1_000_000);
    return new JobId(new UUID(millis << 16 | VERSION, VARIANT));
  }
}
