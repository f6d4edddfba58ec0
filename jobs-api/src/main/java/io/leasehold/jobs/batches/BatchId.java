package io.leasehold.jobs.batches;

import java.util.UUID;

/**
 * Identifies a batch. The database generates the id when the batch is submitted.
 *
 * @param value a UUID of version 7
 */
public record BatchId(UUID value) {

  /**
   * Parses an id in the usual form of 36 characters.
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
