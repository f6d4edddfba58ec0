package io.leasehold.rest.stream;

import io.leasehold.jobs.JobEvent;
import io.leasehold.rest.http.StoredJson;
import java.time.Instant;

/**
 * An event, for people and programs.
 *
 * @param cursor where it is in the job's history
 * @param at when it happened
 * @param kind what it is
 * @param attempt which attempt it belongs to
 * @param body what there is to say about it
 */
public record EventView(String cursor, Instant at, String kind, int attempt, StoredJson body) {

  /** Shows an event. */
  public static EventView of(JobEvent event) {
    return new EventView(
        event.cursor().toString(),
        event.at(),
        event.kind(),
        event.attempt(),
        StoredJson.of(event.body()));
  }
}
