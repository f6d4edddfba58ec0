package io.leasehold.jobs;

import java.util.List;

/**
 * A part of a job's history.
 *
 * @param events in their order
 * @param next behind the last of them, or where the page began if there is none: where to go on
 * @param isOver whether the job is over and this was the end of its history, unless it is retried
 */
public record EventPage(List<JobEvent> events, EventCursor next, boolean isOver) {

  /** Keeps a copy of the events. */
  public EventPage {
    events = List.copyOf(events);
  }
}
