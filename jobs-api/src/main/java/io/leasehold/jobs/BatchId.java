package io.leasehold.jobs;

import java.util.UUID;

/**
 * Names a batch. Made by the database when its jobs are submitted.
 *
 * @param value a UUID of version 7
 */
public record BatchId(UUID value) {

  /**
   * Reads an id in its usual form of 36 characters.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static BatchId of(String value) {
    return new BatchId(UUID.fromString(value));
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
