package io.leasehold.jobs;

import java.util.UUID;

/**
 * Names a job. Made by the database when the job is submitted; sorts by that time.
 *
 * @param value a UUID of version 7
 */
public record JobId(UUID value) {

  /**
   * Reads an id in its usual form of 36 characters.
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
