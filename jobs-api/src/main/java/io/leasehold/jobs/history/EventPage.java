package io.leasehold.jobs.history;

import java.util.List;

/**
 * A page of a job's history.
 *
 * @param events the events, in order
 * @param next the position after the last event, or the start of the page if it has no events:
 *     where the next page continues
 * @param isOver whether the job has finished and this page ends its history, unless the job is
 *     retried
 */
public record EventPage(List<JobEvent> events, EventCursor next, boolean isOver) {

  /** Copies the events. */
  public EventPage {
    events = List.copyOf(events);
  }
}
