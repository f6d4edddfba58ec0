package io.leasehold.jobs;

import java.util.UUID;

/**
 * Identifies a job. The database generates the id at submission; ids sort by submission time.
 *
 * @param value a UUID of version 7
 */
public record JobId(UUID value) {

  /**
   * Parses an id in the usual form of 36 characters.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static JobId of(String value) {
    return new JobId(UUID.fromString(value));
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
