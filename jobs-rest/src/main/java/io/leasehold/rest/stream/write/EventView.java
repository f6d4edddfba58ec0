package io.leasehold.rest.stream.write;

import io.leasehold.jobs.history.JobEvent;
import io.leasehold.rest.http.StoredJson;
import java.time.Instant;

/**
 * An event for people and programs.
 *
 * @param cursor its position in the job's history
 * @param at when it happened
 * @param kind its kind
 * @param attempt the attempt that it belongs to
 * @param body its details
 */
public record EventView(String cursor, Instant at, String kind, int attempt, StoredJson body) {

  /** Creates the view of an event. */
  public static EventView of(JobEvent event) {
    return new EventView(
        event.cursor().toString(),
        event.at(),
        event.kind(),
        event.attempt(),
        StoredJson.of(event.body()));
  }
}
